package dev.shipshape.janitor.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A token endpoint as RFC 6749 has it, for one client; each token replaces the one before. */
final class FakeTokens implements AutoCloseable {
  private static final String SECRET = "s&cret=1";

  private final HttpServer server;
  private final ClientCredentials.Source source;
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private int given;
  private boolean hangs;
  private int expiresIn = 300;
  private String valid = "";

  private FakeTokens(HttpServer server, ClientCredentials.Source source) {
    this.server = server;
    this.source = source;
  }

  /**
   * Starts the endpoint.
   *
   * @param secret where the client's id and secret are put, as a mounted Secret would have them
   */
  static FakeTokens start(Path secret) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var endpoint = URI.create("http://127.0.0.1:%d/token".formatted(server.getAddress().getPort()));
    var source =
        new ClientCredentials.Source(
            endpoint,
            Files.writeString(secret.resolve("client-id"), "janitor\n"),
            Files.writeString(secret.resolve("client-secret"), SECRET + "\n"));
    var fake = new FakeTokens(server, source);
    server.createContext("/token", fake::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return fake;
  }

  ClientCredentials.Source source() {
    return source;
  }

  synchronized int given() {
    return given;
  }

  /** How often a token was asked for. */
  int asked() {
    return asked.get();
  }

  /** From now on nothing is answered. */
  synchronized void hang() {
    hangs = true;
  }

  /** How long tokens are said to live. */
  synchronized void expiresIn(int seconds) {
    expiresIn = seconds;
  }

  /** The token that was given is worth nothing any more. */
  synchronized void revoke() {
    valid = "";
  }

  synchronized boolean isValid(@Nullable String authorization) {
    return !valid.isEmpty() && ("Bearer " + valid).equals(authorization);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    if (hangs()) {
      await(closed);
    }
    give(exchange);
  }

  private synchronized boolean hangs() {
    return hangs;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void give(HttpExchange exchange) throws IOException {
    var form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    var wanted =
        Set.of("grant_type=client_credentials", "client_id=janitor", "client_secret=s%26cret%3D1");
    var isRight = Set.of(form.split("&", -1)).equals(wanted);
    if (isRight) {
      given++;
      valid = "token-" + given;
    }
    var body =
        isRight
            ? "{\"access_token\": \"%s\", \"expires_in\": %d, \"token_type\": \"Bearer\"}"
                .formatted(valid, expiresIn)
            : "{\"error\": \"invalid_client\"}";
    exchange.sendResponseHeaders(isRight ? 200 : 401, body.length());
    try (var out = exchange.getResponseBody()) {
      out.write(body.getBytes(UTF_8));
    }
  }
}
