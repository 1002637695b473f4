package dev.shipshape.sandbox.junit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shipshape.sandbox.ControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * A proxy before a real API server that injects faults. It serves plain HTTP without
 * authentication. It forwards watches, but not as WebSockets: it answers these like a proxy without
 * support for them.
 */
public final class FaultyApi implements AutoCloseable {
  private final ControlPlane controlPlane;
  private final HttpClient upstream;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final Set<HttpExchange> open = ConcurrentHashMap.newKeySet();
  private final Set<HttpExchange> frozen = ConcurrentHashMap.newKeySet();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** A faulty response to one request. */
  @FunctionalInterface
  public interface Fault {
    void respond(HttpExchange exchange) throws IOException;
  }

  private record Rule(Predicate<String> request, boolean isPermanent, Fault fault) {}

  private FaultyApi(ControlPlane controlPlane, HttpClient upstream) throws IOException {
    this.controlPlane = controlPlane;
    this.upstream = upstream;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  /** Starts to listen; calls the API server as an administrator. */
  public static FaultyApi start(ControlPlane controlPlane) throws IOException {
    return new FaultyApi(controlPlane, controlPlane.adminHttpClient());
  }

  /** Starts to listen; calls the API server as this user. */
  public static FaultyApi start(ControlPlane controlPlane, String user) throws IOException {
    return new FaultyApi(controlPlane, controlPlane.httpClientFor(user, List.of()));
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  /**
   * Injects a fault into the next matching request only.
   *
   * @param request matches the method, a blank, and the path with query
   */
  public void once(Predicate<String> request, Fault fault) {
    rules.add(new Rule(request, false, fault));
  }

  /** Injects a fault into every matching request, until {@link #heal}. */
  public void always(Predicate<String> request, Fault fault) {
    rules.add(new Rule(request, true, fault));
  }

  public void heal() {
    rules.clear();
  }

  /** Closes the connections of all running responses, such as watches. */
  public void cut() {
    open.forEach(HttpExchange::close);
  }

  /** Sends no more bytes of the running responses, but keeps their connections open. */
  public void freeze() {
    frozen.addAll(open);
  }

  /** The requests so far with this prefix. */
  public List<String> requests(String prefix) {
    return requests.stream().filter(request -> request.startsWith(prefix)).toList();
  }

  /** Responds with an error; the API server does not get the request. */
  public static Fault refuse(int code, String... header) {
    return exchange -> {
      for (var i = 0; i < header.length; i += 2) {
        exchange.getResponseHeaders().set(header[i], header[i + 1]);
      }
      send(
          exchange,
          code,
          "{\"kind\": \"Status\", \"message\": \"a fault\", \"code\": %d}"
              .formatted(code)
              .getBytes(UTF_8));
    };
  }

  /** Lets the API server execute the request, and then responds with the fault. */
  public Fault executeAndThen(Fault fault) {
    return exchange -> {
      call(exchange);
      fault.respond(exchange);
    };
  }

  /** Runs an action, and then forwards the request. */
  public Fault after(Runnable action) {
    return exchange -> {
      action.run();
      forward(exchange);
    };
  }

  /** Forwards the request once the latch is open. */
  public Fault heldUntil(CountDownLatch latch) {
    return after(() -> await(latch));
  }

  /** Closes the connection before the body is complete. */
  public static Fault hangUp() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 1_000);
      exchange.close();
    };
  }

  /** Never responds. */
  public Fault ignore() {
    return exchange -> await(closed);
  }

  /** Responds 200 with a text. */
  public static Fault respondWith(String text) {
    return exchange -> send(exchange, 200, text.getBytes(UTF_8));
  }

  /** Sends the last event of a watch whose resourceVersion is too old (410). */
  public static Fault tooOld() {
    return respondWith(
        """
        {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",\
        "message":"too old resource version","reason":"Expired","code":410}}
        """);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
    upstream.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    if ("websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
      send(exchange, 200, new byte[0]);
      return;
    }
    var request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    requests.add(request);
    open.add(exchange);
    try {
      var matching = rules.stream().filter(each -> each.request().test(request)).toList();
      // Another request may have taken a rule meanwhile.
      matching.stream()
          .filter(each -> each.isPermanent() || rules.remove(each))
          .findFirst()
          .map(Rule::fault)
          .orElse(this::forward)
          .respond(exchange);
    } finally {
      open.remove(exchange);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void forward(HttpExchange exchange) throws IOException {
    var response = call(exchange);
    for (var name : List.of("Content-Type", "Warning")) {
      exchange.getResponseHeaders().put(name, response.headers().allValues(name));
    }
    exchange.sendResponseHeaders(response.statusCode(), 0);
    try (var body = response.body();
        var out = exchange.getResponseBody()) {
      out.flush();
      var buffer = new byte[8192];
      for (var read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        if (frozen.contains(exchange)) {
          await(closed);
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    }
  }

  private HttpResponse<InputStream> call(HttpExchange exchange) throws IOException {
    var body = exchange.getRequestBody().readAllBytes();
    var request =
        HttpRequest.newBuilder(controlPlane.server().resolve(exchange.getRequestURI().toString()))
            .method(
                exchange.getRequestMethod(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    for (var name : List.of("Accept", "Content-Type")) {
      var value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      return upstream.send(request.build(), BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
