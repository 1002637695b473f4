package dev.shipshape.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plain HTTP port for probes and Prometheus, apart from the port that serves the work: {@code
 * /healthz} (the process turns), {@code /readyz} (200, or 503 with the reason) and {@code
 * /metrics}. How many connections there may be, and how long a request may take to arrive, is
 * bounded by the JVM's options (plugin/options/common).
 */
public final class ManagementServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ManagementServer.class);

  private final HttpServer server;
  private final ExecutorService workers;

  private ManagementServer(HttpServer server, ExecutorService workers) {
    this.server = server;
    this.workers = workers;
  }

  /**
   * Listens and returns.
   *
   * @param port 0 for any free one
   * @throws StartFailure where the port cannot be had
   */
  public static ManagementServer start(
      String host,
      int port,
      Supplier<Optional<String>> notReadyReason,
      PrometheusMeterRegistry registry) {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (IOException | UnresolvedAddressException e) {
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
            answer(exchange, notReadyReason, registry);
          } catch (RuntimeException e) {
            logger.error("{}: no answer, which is a bug", exchange.getRequestURI(), e);
          }
        });
    server.start();
    return new ManagementServer(server, workers);
  }

  /** The port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  private static void answer(
      HttpExchange exchange,
      Supplier<Optional<String>> notReadyReason,
      PrometheusMeterRegistry registry)
      throws IOException {
    switch (exchange.getRequestURI().getPath()) {
      case "/healthz" -> end(exchange, 200, "ok\n");
      case "/readyz" -> ready(exchange, notReadyReason.get());
      case "/metrics" -> {
        exchange
            .getResponseHeaders()
            .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        end(exchange, 200, registry.scrape());
      }
      case null, default -> end(exchange, 404, "served here: /healthz, /readyz, /metrics\n");
    }
  }

  private static void ready(HttpExchange exchange, Optional<String> missing) throws IOException {
    end(exchange, missing.isEmpty() ? 200 : 503, missing.orElse("ok") + "\n");
  }

  private static void end(HttpExchange exchange, int status, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
