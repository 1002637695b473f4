package dev.shipshape.packaging;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An API server for the training, so that a build needs no Kubernetes. It has no objects but the
 * operator: lists are empty, watches silent, all rights granted, and writes are echoed.
 */
final class StubApiServer implements AutoCloseable {
  /** How often the janitor must check the operator, and meanwhile prune, to be trained. */
  private static final int CHECKS = 5;

  private static final String EMPTY_LIST =
      """
      {"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}\
      """;
  private static final String SESSIONS_KINDS =
      """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"cms.cray.com/v1",\
      "resources":[{"name":"cfsessions","singularName":"cfsession","namespaced":true,\
      "kind":"ConfigFrameworkSession","verbs":["delete","get","list","watch"]}]}\
      """;
  private static final String OPERATOR =
      """
      {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"cray-cfs-operator",\
      "namespace":"services","uid":"1","resourceVersion":"1","generation":1},\
      "spec":{"selector":{"matchLabels":{"app":"operator"}},"template":{"metadata":{}}}}\
      """;
  private static final String NOT_FOUND =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}\
      """;

  private final HttpServer server;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private volatile CountDownLatch checks = new CountDownLatch(0);

  private StubApiServer(HttpServer server) {
    this.server = server;
  }

  static StubApiServer start() throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var api = new StubApiServer(HttpServer.create(address, 0));
    api.server.setExecutor(api.workers);
    api.server.createContext("/", api::answer);
    api.server.start();
    return api;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Waits until the janitor is trained; false on timeout. */
  boolean awaitJanitor(Duration longest) throws InterruptedException {
    checks = new CountDownLatch(CHECKS);
    return checks.await(longest.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    if (path.endsWith("/pods")) {
      checks.countDown();
    }
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var query = String.valueOf(exchange.getRequestURI().getQuery());
      if (!exchange.getRequestMethod().equals("GET")) {
        send(exchange, 200, body);
      } else if (query.contains("watch=")) {
        stayOpen(exchange);
      } else if (path.equals("/apis/cms.cray.com/v1")) {
        send(exchange, 200, SESSIONS_KINDS);
      } else if (path.contains("/leases/")) {
        send(exchange, 404, NOT_FOUND);
      } else if (path.contains("/deployments/")) {
        send(exchange, 200, OPERATOR);
      } else {
        send(exchange, 200, EMPTY_LIST);
      }
    }
  }

  private static void stayOpen(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().flush();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
