package dev.shipshape.service;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.Optional;

/**
 * The plain HTTP port for probes and Prometheus, apart from the port that serves the work: {@code
 * /healthz} (the process turns), {@code /readyz} (200, or 503 with the reason) and {@code
 * /metrics}.
 */
public final class ManagementServer implements AutoCloseable {
  private static final int IDLE_SECONDS = 60;

  private final HttpServer server;

  private ManagementServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens and returns.
   *
   * @param port 0 for any free one
   * @throws StartFailure where the port cannot be had
   */
  public static ManagementServer start(
      Vertx vertx, String host, int port, Readiness readiness, PrometheusMeterRegistry registry) {
    // HTTP/1.1 alone, which kubelets and Prometheus speak: an upgrade to clear-text HTTP/2 loses a
    // request now and then.
    var options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeout(IDLE_SECONDS);
    var listening =
        vertx
            .createHttpServer(options)
            .requestHandler(request -> answer(request, readiness, registry))
            .listen();
    return new ManagementServer(
        Listening.await(listening, "management (management.port)", host, port));
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  @Override
  public void close() {
    server.close().toCompletionStage().toCompletableFuture().join();
  }

  private static void answer(
      HttpServerRequest request, Readiness readiness, PrometheusMeterRegistry registry) {
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      end(request, 405, "only GET is served here\n");
      return;
    }
    switch (Objects.requireNonNullElse(request.path(), "")) {
      case "/healthz" -> end(request, 200, "ok\n");
      case "/readyz" -> ready(request, readiness.notReadyReason());
      case "/metrics" -> {
        request.response().putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        end(request, 200, registry.scrape());
      }
      default -> end(request, 404, "served here: /healthz, /readyz, /metrics\n");
    }
  }

  private static void ready(HttpServerRequest request, Optional<String> missing) {
    end(request, missing.isEmpty() ? 200 : 503, missing.orElse("ok") + "\n");
  }

  private static void end(HttpServerRequest request, int status, String body) {
    request.response().setStatusCode(status).end(body);
  }
}
