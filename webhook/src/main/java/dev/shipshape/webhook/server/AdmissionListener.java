package dev.shipshape.webhook.server;

import dev.shipshape.webhook.config.WebhookSettings;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpOption;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of several listeners on one port, each with an event loop of its own. HTTP/1.1 only, as the
 * API server speaks it to a service; HTTP/2 would be used on localhost alone, that is, in tests.
 */
final class AdmissionListener extends VerticleBase {
  private static final int MOST_HEADER_BYTES = 16 * 1024;

  private final Handler<HttpServerRequest> handler;
  private final WebhookSettings.Address address;
  private final int portNumber;
  private final ServerSSLOptions tls;
  private final ConnectionLimits connections;
  private final Duration idle;
  private @Nullable HttpServer server;

  /**
   * @param portNumber where any free port will do, the same one for all listeners of one server
   * @param idle how long a connection may send nothing
   */
  AdmissionListener(
      Handler<HttpServerRequest> handler,
      WebhookSettings.Address address,
      int portNumber,
      ServerSSLOptions tls,
      ConnectionLimits connections,
      Duration idle) {
    this.handler = handler;
    this.address = address;
    this.portNumber = portNumber;
    this.tls = tls;
    this.connections = connections;
    this.idle = idle;
  }

  @Override
  public Future<?> start() {
    var created =
        vertx
            .httpServerBuilder()
            .with(http())
            .with(tls)
            .with(TlsEngine.best())
            .build()
            .connectionHandler(connection -> connections.opened(vertx, connection))
            .requestHandler(this::handle);
    server = created;
    return created.listen(socket());
  }

  private void handle(HttpServerRequest request) {
    connections.requested(vertx, request.connection());
    // A client that does not read its answers gets no more, and is closed as an idle one.
    if (connections.accepts(request.connection()) && !request.response().writeQueueFull()) {
      handler.handle(request);
    }
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
            .setReadIdleTimeout(idle)
            .setHttp1Config(new Http1ServerConfig().setMaxHeaderSize(MOST_HEADER_BYTES));
    // Without it an answer in two segments waits for the other side's delayed acknowledgement.
    config.getTcpConfig().getTransportConfig().setOption(TcpOption.NODELAY, true);
    return config;
  }
}
