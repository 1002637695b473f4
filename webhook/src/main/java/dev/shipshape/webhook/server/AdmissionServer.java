package dev.shipshape.webhook.server;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.WebhookSettings;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTPS port: as many listeners as event loops, and a certificate that follows its source. */
public final class AdmissionServer {
  /** How soon a new certificate is served, and clients are checked by a new authority. */
  private static final long POLL_MILLIS = 1_000;

  private static final int HANDSHAKE_SECONDS = 5;
  private static final int MOST_HEADER_BYTES = 16 * 1024;
  private static final String TLS_1_2 = "TLSv1.2";
  private static final String TLS_1_3 = "TLSv1.3";

  private static final Logger logger = LoggerFactory.getLogger(AdmissionServer.class);
  private static final AtomicInteger SERVERS = new AtomicInteger();

  /**
   * What connections may cost.
   *
   * @param most how many there may be at once
   * @param firstRequest how long a new one may take to its first whole request head
   * @param idle how long one may send nothing; longer than the 90 s after which the API server
   *     closes an idle one itself, lest it writes a call into a connection that is just being
   *     closed, which it would not send again
   * @param tls13Only whether TLS 1.2 is refused
   */
  public record Limits(int most, Duration firstRequest, Duration idle, boolean tls13Only) {
    /** So many connections, with the usual times. */
    public static Limits of(int most, boolean tls13Only) {
      return new Limits(most, Duration.ofSeconds(10), Duration.ofMinutes(2), tls13Only);
    }
  }

  /**
   * What handshakes are made with.
   *
   * @param authority the authority of the clients' certificates, PEM; null where anybody may call
   */
  private record Identity(
      ServingCertificate certificate, @Nullable String authority, Set<String> protocols) {}

  private final List<HttpServer> listeners;
  private final ConnectionLimits connections;
  private final CertificateSource certificates;
  private final @Nullable Path clientAuthority;
  private final AtomicLong reloadFailures = new AtomicLong();
  private volatile Identity identity;
  private volatile String lastFailure = "";

  private AdmissionServer(
      List<HttpServer> listeners,
      ConnectionLimits connections,
      CertificateSource certificates,
      @Nullable Path clientAuthority,
      Identity identity) {
    this.listeners = List.copyOf(listeners);
    this.connections = connections;
    this.certificates = certificates;
    this.clientAuthority = clientAuthority;
    this.identity = identity;
  }

  /**
   * Listens and returns.
   *
   * @param clientAuthority the authorities of clients' certificates, PEM, read again and again;
   *     null where anybody may call
   * @param size how many listeners, each on an event loop of its own
   * @throws StartFailure where the port is taken, or the clients' authority cannot be read
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
    Identity identity;
    try {
      identity = identity(certificates, clientAuthority, protocols);
    } catch (IOException e) {
      throw new StartFailure(
          "could not read the clients' authority (clientAuthority.file): " + e, e);
    }
    var tls = options(identity);
    var engine = engine();
    var connections = new ConnectionLimits(limits.most(), limits.firstRequest());
    // The same free port for all listeners of one server.
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
              },
              new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP));
      try {
        deployed.toCompletionStage().toCompletableFuture().join();
      } catch (CompletionException e) {
        var cause = Objects.requireNonNullElse(e.getCause(), e);
        throw new StartFailure(
            "could not listen on %s:%d for admission calls (listen.port): %s"
                .formatted(address.host(), address.port(), cause.getMessage()),
            cause);
      }
    }
    var server =
        new AdmissionServer(listeners, connections, certificates, clientAuthority, identity);
    vertx.setPeriodic(POLL_MILLIS, tick -> server.follow(vertx));
    return server;
  }

  /** The port. */
  public int port() {
    return listeners.getFirst().actualPort();
  }

  /** How many connections are open. */
  public int connections() {
    return connections.count();
  }

  /** What clients are shown now. */
  public ServingCertificate served() {
    return identity.certificate();
  }

  /** Why no API server can trust what is served; empty where it can. */
  public Optional<String> notReadyReason() {
    return served().isStandIn()
        ? Optional.of("the certificate is not served yet")
        : Optional.empty();
  }

  /** How often another certificate could not be taken over. */
  public long reloadFailures() {
    return reloadFailures.get();
  }

  /**
   * Takes no more connections, closes those that are idle, and the others with their answers.
   *
   * @param patience with answers that do not come
   */
  public Future<?> shutDown(Duration patience) {
    return Future.join(listeners.stream().<Future<?>>map(one -> one.shutdown(patience)).toList());
  }

  /**
   * BoringSSL, where it is there for this machine: a handshake of the JDK's own engine takes twenty
   * times as long before it is compiled, and after a start all replicas have is handshakes.
   */
  private static SSLEngineOptions engine() {
    if (OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable()) {
      return new OpenSSLEngineOptions();
    }
    logger.warn("TLS by the JDK, which is slow after a start: no BoringSSL for this machine");
    return new JdkSSLEngineOptions();
  }

  /**
   * One of several on one port, on the event loop of the caller. HTTP/1.1 only, as the API server
   * speaks it to a service; HTTP/2 would be used on localhost alone, that is, in tests.
   */
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
            .setHttp1Config(new Http1ServerConfig().setMaxHeaderSize(MOST_HEADER_BYTES));
    // Without it an answer in two segments waits for the other side's delayed acknowledgement.
    http.getTcpConfig().getTransportConfig().setOption(TcpOption.NODELAY, true);
    return vertx
        .httpServerBuilder()
        .with(http)
        .with(tls)
        .with(engine)
        .build()
        .connectionHandler(connection -> connections.opened(vertx, connection))
        .requestHandler(
            request -> {
              var connection = request.connection();
              connections.requested(vertx, connection);
              // A client that does not read its answers gets no more, and is closed as an idle one.
              if (connections.accepts(connection) && !request.response().writeQueueFull()) {
                handler.handle(request);
              }
            });
  }

  private void follow(Vertx vertx) {
    vertx
        .executeBlocking(() -> identity(certificates, clientAuthority, identity.protocols()))
        .compose(this::serve)
        .onSuccess(done -> lastFailure = "")
        .onFailure(failure -> failed(String.valueOf(failure.getMessage())));
  }

  /** Counted and logged once; tried again all the same. */
  private void failed(String why) {
    if (!why.equals(lastFailure)) {
      lastFailure = why;
      reloadFailures.incrementAndGet();
      logger.warn(
          "could not load a new certificate or clients' authority, the old one is used on: {}",
          why);
    }
  }

  private Future<?> serve(Identity next) {
    var before = identity;
    if (next.equals(before)) {
      return Future.succeededFuture();
    }
    var options = options(next);
    return Future.all(
            listeners.stream().<Future<?>>map(one -> one.updateSSLOptions(options)).toList())
        .onSuccess(
            done -> {
              identity = next;
              if (!Objects.equals(next.authority(), before.authority())) {
                // Their clients were checked by the old one.
                connections.closeAll();
              }
              logger.info(
                  "serving a new certificate or clients' authority; the certificate is valid until"
                      + " {}",
                  next.certificate().pair().notAfter());
            });
  }

  private static Identity identity(
      CertificateSource certificates, @Nullable Path clientAuthority, Set<String> protocols)
      throws IOException {
    return new Identity(
        certificates.current(),
        clientAuthority == null ? null : Files.readString(clientAuthority),
        protocols);
  }

  private static ServerSSLOptions options(Identity identity) {
    var pair = identity.certificate().pair();
    var options =
        new ServerSSLOptions()
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertValue(Buffer.buffer(pair.certificate()))
                    .setKeyValue(Buffer.buffer(pair.key())))
            .setEnabledSecureTransportProtocols(identity.protocols())
            .setUseAlpn(true)
            .setApplicationLayerProtocols(List.of("http/1.1"))
            .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
            .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
    return identity.authority() == null
        ? options
        : options
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(
                new PemTrustOptions().addCertValue(Buffer.buffer(identity.authority())));
  }
}
