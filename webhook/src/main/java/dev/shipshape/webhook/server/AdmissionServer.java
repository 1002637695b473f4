package dev.shipshape.webhook.server;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.WebhookSettings;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpOption;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTPS port: one listener for each event loop; reloads its certificate. */
public final class AdmissionServer {
  /** How often the certificate and the CA of clients are checked for changes. */
  private static final long POLL_MILLIS = 1_000;

  private static final int HANDSHAKE_SECONDS = 5;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final String TLS_1_2 = "TLSv1.2";
  private static final String TLS_1_3 = "TLSv1.3";

  private static final Logger logger = LoggerFactory.getLogger(AdmissionServer.class);
  private static final AtomicInteger SERVERS = new AtomicInteger();

  /**
   * Limits of connections and of TLS.
   *
   * @param firstRequest maximum time from the handshake to the first complete request head
   * @param idle maximum time without received data. Longer than the 90 s after which the API server
   *     itself closes an idle connection: otherwise it could send a call into a connection that is
   *     being closed, and it does not retry such a call
   * @param tls13Only whether TLS 1.2 is refused
   */
  public record Limits(int connections, Duration firstRequest, Duration idle, boolean tls13Only) {
    public static Limits of(int connections, boolean tls13Only) {
      return new Limits(connections, Duration.ofSeconds(10), Duration.ofMinutes(2), tls13Only);
    }
  }

  /**
   * The TLS configuration of the listeners.
   *
   * @param authority the CA certificates of clients, PEM; null if clients need no certificate
   */
  private record TlsConfig(
      ServingCertificate certificate, @Nullable String authority, Set<String> protocols) {}

  private final List<HttpServer> listeners;
  private final ConnectionLimits connections;
  private final CertificateSource certificates;
  private final @Nullable Path clientAuthority;
  private volatile TlsConfig tlsConfig;
  private volatile String lastFailure = "";

  private AdmissionServer(
      List<HttpServer> listeners,
      ConnectionLimits connections,
      CertificateSource certificates,
      @Nullable Path clientAuthority,
      TlsConfig tlsConfig) {
    this.listeners = List.copyOf(listeners);
    this.connections = connections;
    this.certificates = certificates;
    this.clientAuthority = clientAuthority;
    this.tlsConfig = tlsConfig;
  }

  /**
   * Starts to listen and returns.
   *
   * @param clientAuthority file with the CA certificates of clients, PEM, checked for changes; null
   *     if clients need no certificate
   * @param size number of listeners, each with its own event loop
   * @throws StartFailure if the port is in use, or the CA certificates of clients cannot be read
   */
  public static AdmissionServer start(
      Vertx vertx,
      WebhookSettings.Address address,
      CertificateSource certificates,
      @Nullable Path clientAuthority,
      Limits limits,
      Handler<HttpServerRequest> handler,
      int size) {
    var protocols = limits.tls13Only() ? Set.of(TLS_1_3) : Set.of(TLS_1_2, TLS_1_3);
    TlsConfig tlsConfig;
    try {
      tlsConfig = tlsConfig(certificates, clientAuthority, protocols);
    } catch (IOException e) {
      throw new StartFailure(
          "could not read the clients' authority (clientAuthority.file): " + e, e);
    }
    var tls = options(tlsConfig);
    var engine = engine();
    var connections = new ConnectionLimits(limits.connections(), limits.firstRequest());
    // All listeners of one server share the free port.
    var socket =
        address.port() == 0
            ? SocketAddress.sharedRandomPort(SERVERS.incrementAndGet(), address.host())
            : SocketAddress.inetSocketAddress(address.port(), address.host());
    var listeners = new ArrayList<HttpServer>();
    for (var count = 0; count < size; count++) {
      var deployed =
          vertx.deployVerticle(
              context -> {
                var listener = listener(vertx, tls, engine, limits.idle(), connections, handler);
                listeners.add(listener);
                return listener.listen(socket);
              });
      try {
        deployed.await();
      } catch (Exception cause) {
        throw new StartFailure(
            cause instanceof SocketException || cause instanceof UnknownHostException
                ? "could not listen on %s:%d for admission calls (listen.host, listen.port): %s"
                    .formatted(address.host(), address.port(), cause.getMessage())
                : "could not serve TLS (certificates, clientAuthority.file): " + cause.getMessage(),
            cause);
      }
    }
    var server =
        new AdmissionServer(listeners, connections, certificates, clientAuthority, tlsConfig);
    // In a verticle, so that Vert.x cancels the timer before it closes the threads of its task.
    vertx.deployVerticle(
        context -> {
          vertx.setPeriodic(POLL_MILLIS, tick -> server.reloadIfChanged(vertx));
          return Future.succeededFuture();
        });
    return server;
  }

  public int port() {
    return listeners.getFirst().actualPort();
  }

  public int connections() {
    return connections.count();
  }

  public ServingCertificate servedCertificate() {
    return tlsConfig.certificate();
  }

  /** Why the API server cannot trust the served certificate; empty if it can. */
  public Optional<String> notReadyReason() {
    return servedCertificate().isPlaceholder()
        ? Optional.of("the certificate is not served yet")
        : Optional.empty();
  }

  /** Closes the listeners and idle connections; others after their response or the timeout. */
  public Future<?> shutDown(Duration timeout) {
    return Future.join(
        listeners.stream().<Future<?>>map(listener -> listener.shutdown(timeout)).toList());
  }

  /**
   * BoringSSL, if it supports this platform. Before the JDK's own engine is compiled, a handshake
   * with it takes twenty times as long, and after a start every replica has many handshakes.
   */
  private static SSLEngineOptions engine() {
    if (OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable()) {
      return new OpenSSLEngineOptions();
    }
    logger.warn(
        "TLS by the JDK, which is slow after a start: BoringSSL does not support this platform");
    return new JdkSSLEngineOptions();
  }

  /** Several listeners share a port. HTTP/1.1 only, which the API server uses for Services. */
  private static HttpServer listener(
      Vertx vertx,
      ServerSSLOptions tls,
      SSLEngineOptions engine,
      Duration idle,
      ConnectionLimits connections,
      Handler<HttpServerRequest> handler) {
    var http =
        new HttpServerConfig()
            .setVersions(HttpVersion.HTTP_1_1)
            .setReadIdleTimeout(idle)
            .setHttp1Config(new Http1ServerConfig().setMaxHeaderSize(MAX_HEADER_BYTES));
    // Otherwise a response of two segments waits for the client's delayed acknowledgement.
    http.getTcpConfig().getTransportConfig().setOption(TcpOption.NODELAY, true);
    return vertx
        .httpServerBuilder()
        .with(http)
        .with(tls)
        .with(engine)
        .build()
        .connectionHandler(connection -> connections.onOpen(vertx, connection))
        .requestHandler(
            request -> {
              var connection = request.connection();
              connections.onRequest(vertx, connection);
              // Ignore the requests of a client that does not read: the idle timeout ends it.
              if (connections.accepts(connection) && !request.response().writeQueueFull()) {
                handler.handle(request);
              }
            });
  }

  private void reloadIfChanged(Vertx vertx) {
    // Not ordered: the queue for that would wait for ever for a task for which no thread was made.
    vertx
        .executeBlocking(
            () -> tlsConfig(certificates, clientAuthority, tlsConfig.protocols()), false)
        .compose(this::serve)
        .onSuccess(done -> lastFailure = "")
        .onFailure(failure -> reloadFailed(String.valueOf(failure.getMessage())));
  }

  /** Logs each distinct failure once; the next poll tries again. */
  private void reloadFailed(String reason) {
    if (!reason.equals(lastFailure)) {
      lastFailure = reason;
      logger.warn(
          "could not load a new certificate or clients' authority, so the old one stays in use: {}",
          reason);
    }
  }

  private Future<?> serve(TlsConfig next) {
    var before = tlsConfig;
    if (next.equals(before)) {
      return Future.succeededFuture();
    }
    var options = options(next);
    return Future.all(
            listeners.stream().<Future<?>>map(one -> one.updateSSLOptions(options)).toList())
        .onSuccess(
            done -> {
              tlsConfig = next;
              if (!Objects.equals(next.authority(), before.authority())) {
                // Clients with open connections were checked against the old CA.
                connections.closeAll();
              }
              logger.info(
                  "serving a new certificate or clients' authority; the certificate is valid until"
                      + " {}",
                  next.certificate().pair().notAfter());
            });
  }

  private static TlsConfig tlsConfig(
      CertificateSource certificates, @Nullable Path clientAuthority, Set<String> protocols)
      throws IOException {
    return new TlsConfig(
        certificates.current(),
        clientAuthority == null ? null : Files.readString(clientAuthority),
        protocols);
  }

  private static ServerSSLOptions options(TlsConfig tlsConfig) {
    var pair = tlsConfig.certificate().pair();
    var options =
        new ServerSSLOptions()
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertValue(Buffer.buffer(pair.certificate()))
                    .setKeyValue(Buffer.buffer(pair.key())))
            .setEnabledSecureTransportProtocols(tlsConfig.protocols())
            .setUseAlpn(true)
            .setApplicationLayerProtocols(List.of("http/1.1"))
            .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
            .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
    return tlsConfig.authority() == null
        ? options
        : options
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(
                new PemTrustOptions().addCertValue(Buffer.buffer(tlsConfig.authority())));
  }
}
