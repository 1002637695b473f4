package dev.shipshape.webhook;

import dev.shipshape.certs.ServingCertificate;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of several listeners on one port, each with an event loop of its own. HTTP/1.1 only, as the
 * API server speaks it to a service; HTTP/2 would be used on localhost alone, that is, in tests.
 */
final class AdmissionListener extends VerticleBase {
  private static final int HANDSHAKE_SECONDS = 5;
  private static final int MOST_HEADER_BYTES = 16 * 1024;

  private final AdmissionDoor door;
  private final WebhookSettings.Address address;
  private final int portNumber;
  private final ServerSSLOptions tls;
  private final Connections connections;
  private @Nullable HttpServer server;

  /**
   * @param portNumber where any free port will do, the same one for all listeners of one server
   */
  AdmissionListener(
      AdmissionDoor door,
      WebhookSettings.Address address,
      int portNumber,
      ServerSSLOptions tls,
      Connections connections) {
    this.portNumber = portNumber;
    this.door = door;
    this.address = address;
    this.tls = tls;
    this.connections = connections;
  }

  @Override
  public Future<?> start() {
    var backlog = new Backlog();
    backlog.watch(vertx);
    var router = door.router(connections, backlog);
    var created =
        vertx
            .httpServerBuilder()
            .with(http())
            .with(tls)
            .with(
                tls.getClientAuth() == ClientAuth.REQUIRED
                    ? TlsEngine.forKnownClients()
                    : TlsEngine.best())
            .build()
            .connectionHandler(connections::opened)
            .requestHandler(
                request -> {
                  if (request.response().writeQueueFull()) {
                    // Its client does not read answers, and more of them would fill the memory.
                    return;
                  }
                  connections.asked(request.connection());
                  router.handle(request);
                });
    server = created;
    return created.listen(socket());
  }

  /** The server, once this is deployed. */
  HttpServer server() {
    return Objects.requireNonNull(server, "not deployed");
  }

  private SocketAddress socket() {
    return address.port() == 0
        ? SocketAddress.sharedRandomPort(portNumber, address.host())
        : SocketAddress.inetSocketAddress(address.port(), address.host());
  }

  private HttpServerConfig http() {
    var config =
        new HttpServerConfig()
            .setVersions(HttpVersion.HTTP_1_1)
            .setHttp1Config(new Http1ServerConfig().setMaxHeaderSize(MOST_HEADER_BYTES));
    // Without it an answer in two segments waits for the other side's delayed acknowledgement.
    config.getTcpConfig().getTransportConfig().setOption(TcpOption.NODELAY, true);
    return config;
  }

  /**
   * TLS 1.3 with this certificate.
   *
   * @param clients who may call; null for anybody
   */
  static ServerSSLOptions secure(
      ServingCertificate certificate, @Nullable ClientAuthority clients) {
    var options = secure(certificate);
    return clients == null
        ? options
        : options.setClientAuth(ClientAuth.REQUIRED).setTrustOptions(clients.handshakes());
  }

  private static ServerSSLOptions secure(ServingCertificate certificate) {
    return new ServerSSLOptions()
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertValue(Buffer.buffer(certificate.pair().certificate()))
                .setKeyValue(Buffer.buffer(certificate.pair().key())))
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
        .setUseAlpn(true)
        .setApplicationLayerProtocols(List.of("http/1.1"))
        .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
  }
}
