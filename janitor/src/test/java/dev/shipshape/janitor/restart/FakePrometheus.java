package dev.shipshape.janitor.restart;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Answers queries in the form of Prometheus's HTTP API. */
public final class FakePrometheus implements AutoCloseable {
  private final HttpServer server;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int code = 200;
  private volatile String answer = vector("");
  private volatile boolean stalled;
  final List<String> queries = new CopyOnWriteArrayList<>();
  final List<String> tokens = new CopyOnWriteArrayList<>();

  private FakePrometheus(HttpServer server) {
    this.server = server;
  }

  public static FakePrometheus start() throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var prometheus = new FakePrometheus(HttpServer.create(address, 0));
    prometheus.server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    prometheus.server.createContext("/api/v1/query", prometheus::answer);
    prometheus.server.start();
    return prometheus;
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** From now on the alert fires, or not. */
  public void firing(boolean fires) {
    answer(
        200,
        vector(
            fires
                ? """
                {"metric": {"__name__": "ALERTS", "alertname": "Maintenance"}, "value": [1792843200.1, "1"]}
                """
                : ""));
  }

  void answer(int status, String body) {
    code = status;
    answer = body;
  }

  /** Gives the beginning of an answer, and then neither more nor an end. */
  void stall() {
    stalled = true;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }

  private static String vector(String elements) {
    return """
    {"status": "success", "data": {"resultType": "vector", "result": [%s]}}
    """
        .formatted(elements);
  }

  private void answer(HttpExchange exchange) throws IOException {
    queries.add(
        URLDecoder.decode(
            exchange.getRequestURI().getRawQuery().replace("query=", ""), StandardCharsets.UTF_8));
    @Nullable String token = exchange.getRequestHeaders().getFirst("Authorization");
    tokens.add(String.valueOf(token));
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, 0);
    try (var body = exchange.getResponseBody()) {
      body.write(answer.getBytes(StandardCharsets.UTF_8));
      if (stalled) {
        body.flush();
        closed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
