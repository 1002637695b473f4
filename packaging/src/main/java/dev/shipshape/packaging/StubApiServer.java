package dev.shipshape.packaging;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLParameters;

/**
 * An API server for the training, so that a build needs no Kubernetes. It has no objects but the
 * operator: lists are empty, watches silent, all rights granted, and writes are echoed. As a real
 * one, it speaks TLS and asks for a certificate: some 800 classes of a process serve that alone.
 */
final class StubApiServer implements AutoCloseable {
  private final HttpsServer server;
  private final Path responses;
  private volatile boolean hasReadPods;

  /**
   * @param folder of its responses; gets the files of its clients: {@code api.crt} to trust it, a
   *     certificate and a key
   */
  StubApiServer(Path folder) throws IOException {
    responses = folder;
    var life = Duration.ofDays(1);
    var authority = Authority.create("api", life, InstantSource.system());
    var client = authority.issueClient("trainee", List.of(), life);
    Files.writeString(folder.resolve("api.crt"), authority.certificate());
    Files.writeString(folder.resolve("client.crt"), client.certificate());
    Files.writeString(folder.resolve("client.key"), client.key());
    var pair = authority.issueServer("api", List.of("127.0.0.1"), life);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(ClientContext.of(authority.certificate(), pair)) {
          @Override
          public void configure(HttpsParameters parameters) {
            var asks = new SSLParameters();
            asks.setWantClientAuth(true);
            parameters.setSSLParameters(asks);
          }
        });
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
