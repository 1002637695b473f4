package dev.shipshape.webhook;

import dev.shipshape.certs.ServingCertificate;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpOption;
import java.time.Duration;
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
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final int HANDSHAKE_SECONDS = 5;
  private static final int MOST_HEADER_BYTES = 16 * 1024;

  private final AdmissionDoor door;
  private final WebhookSettings.Address address;
  private final ServingCertificate certificate;
  private @Nullable HttpServer server;

  AdmissionListener(
      AdmissionDoor door, WebhookSettings.Address address, ServingCertificate certificate) {
    this.door = door;
    this.address = address;
    this.certificate = certificate;
  }

  @Override
  public Future<?> start() {
    var created = vertx.createHttpServer(http(), secure(certificate)).requestHandler(door.router());
    server = created;
    return created.listen(socket());
  }

  /** The server, once this is deployed. */
  HttpServer server() {
    return Objects.requireNonNull(server, "not deployed");
  }

  /** Any free port must be the same one for all listeners. */
  private SocketAddress socket() {
    return address.port() == 0
        ? SocketAddress.sharedRandomPort(1, address.host())
        : SocketAddress.inetSocketAddress(address.port(), address.host());
  }

  private HttpServerConfig http() {
    var config =
        new HttpServerConfig()
            .setVersions(HttpVersion.HTTP_1_1)
            .setIdleTimeout(IDLE)
            .setHttp1Config(new Http1ServerConfig().setMaxHeaderSize(MOST_HEADER_BYTES));
    // Without it an answer in two segments waits for the other side's delayed acknowledgement.
    config.getTcpConfig().getTransportConfig().setOption(TcpOption.NODELAY, true);
    return config;
  }

  /** TLS 1.3 with this certificate. */
  static ServerSSLOptions secure(ServingCertificate certificate) {
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
