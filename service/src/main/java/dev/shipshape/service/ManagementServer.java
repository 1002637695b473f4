package dev.shipshape.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plain HTTP port for probes and Prometheus: {@code /healthz} (the process runs), {@code
 * /readyz} (200, or 503 with the reason) and {@code /metrics}. JVM options limit the number of
 * connections and the time to receive a request (plugin/options/common).
 */
public final class ManagementServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ManagementServer.class);

  private final HttpServer server;
  private final ExecutorService workers;

  private ManagementServer(HttpServer server, ExecutorService workers) {
    this.server = server;
    this.workers = workers;
  }

  /** Starts to listen, on any free port for 0; StartFailure if the port cannot be used. */
  public static ManagementServer start(
      String host,
      int port,
      Supplier<Optional<String>> notReadyReason,
      PrometheusMeterRegistry registry) {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (IOException e) {
      throw new StartFailure(
          "could not listen on %s:%d for management (management.port): %s"
              .formatted(host, port, e.getMessage()),
          e);
    }
    var workers = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(workers);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            respond(exchange, notReadyReason, registry);
          } catch (RuntimeException e) {
            logger.error("{}: could not respond, which is a bug", exchange.getRequestURI(), e);
          }
        });
    server.start();
    return new ManagementServer(server, workers);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  private static void respond(
      HttpExchange exchange,
      Supplier<Optional<String>> notReadyReason,
      PrometheusMeterRegistry registry)
      throws IOException {
    switch (exchange.getRequestURI().getPath()) {
      case "/healthz" -> send(exchange, 200, "ok\n");
      case "/readyz" -> {
        var reason = notReadyReason.get();
        send(exchange, reason.isEmpty() ? 200 : 503, reason.orElse("ok") + "\n");
      }
      case "/metrics" -> {
        exchange
            .getResponseHeaders()
            .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        send(exchange, 200, registry.scrape());
      }
      case null, default -> send(exchange, 404, "served here: /healthz, /readyz, /metrics\n");
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
