package dev.shipshape.packaging;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An API server for the training, so that a build needs no Kubernetes. It has no objects but the
 * operator: lists are empty, watches silent, all rights granted, and writes are echoed.
 */
final class StubApiServer implements AutoCloseable {
  private final HttpServer server;
  private final Path responses;
  private volatile boolean hasReadPods;

  /**
   * @param responses the folder of its responses
   */
  StubApiServer(Path responses) throws IOException {
    this.responses = responses;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::respond);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Whether a janitor has looked at its operator. */
  boolean hasReadPods() {
    return hasReadPods;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void respond(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    hasReadPods |= path.endsWith("/pods");
    if (!exchange.getRequestMethod().equals("GET")) {
      send(exchange, 200, exchange.getRequestBody().readAllBytes());
    } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=")) {
      // A watch stays open.
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().flush();
    } else if (path.equals("/apis/cms.cray.com/v1")) {
      send(exchange, 200, read("session-kinds.json"));
    } else if (path.contains("/leases/")) {
      send(exchange, 404, read("not-found.json"));
    } else if (path.contains("/deployments/")) {
      send(exchange, 200, read("operator.json"));
    } else {
      send(exchange, 200, read("empty-list.json"));
    }
  }

  private byte[] read(String response) throws IOException {
    return Files.readAllBytes(responses.resolve(response));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
