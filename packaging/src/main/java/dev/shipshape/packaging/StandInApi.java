package dev.shipshape.packaging;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An API server without objects, for the training alone: it knows sessions, lists are empty,
 * watches stay silent, every right is granted, and what is written is echoed. Release builds need
 * no Kubernetes for it.
 */
final class StandInApi implements AutoCloseable {
  private static final String EMPTY_LIST =
      """
      {"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}\
      """;
  private static final String SESSIONS = "/apis/cms.cray.com/v1";
  private static final String SESSIONS_KINDS =
      """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"cms.cray.com/v1",\
      "resources":[{"name":"cfsessions","singularName":"cfsession","namespaced":true,\
      "kind":"ConfigFrameworkSession","verbs":["delete","get","list","watch"]}]}\
      """;
  private static final String GRANTED =
      """
      {"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1",\
      "spec":{},"status":{"allowed":true}}\
      """;
  private static final String NOT_FOUND =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}\
      """;

  private final HttpServer server;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> seen = new ArrayList<>();

  private StandInApi(HttpServer server) {
    this.server = server;
  }

  static StandInApi start() throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var api = new StandInApi(HttpServer.create(address, 0));
    api.server.setExecutor(api.workers);
    api.server.createContext("/", api::answer);
    api.server.start();
    return api;
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Forgets the requests so far, so that the next process is not taken for begun by them. */
  void forgetSeen() {
    synchronized (seen) {
      seen.clear();
    }
  }

  /**
   * Waits until a resource was asked for so many times; false where it is not in time.
   *
   * @param resource how the path of the requests ends
   */
  boolean awaitRequests(String resource, int number, Duration longest) throws InterruptedException {
    var end = System.nanoTime() + longest.toNanos();
    synchronized (seen) {
      while (seen.stream().filter(path -> path.endsWith(resource)).count() < number) {
        var left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        seen.wait(left);
      }
      return true;
    }
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    synchronized (seen) {
      seen.add(path);
      seen.notifyAll();
    }
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var query = String.valueOf(exchange.getRequestURI().getQuery());
      if (path.endsWith("/selfsubjectaccessreviews")) {
        send(exchange, 201, GRANTED);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        send(exchange, 200, body);
      } else if (query.contains("watch=")) {
        stayOpen(exchange);
      } else if (path.equals(SESSIONS)) {
        send(exchange, 200, SESSIONS_KINDS);
      } else if (path.contains("/leases/")) {
        send(exchange, 404, NOT_FOUND);
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
