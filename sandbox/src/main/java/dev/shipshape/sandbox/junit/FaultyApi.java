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
 * A real API server behind a proxy that lets things go wrong when a test says so. It speaks plain
 * HTTP, asks nobody who they are, and passes watches on, WebSockets not: those are answered as by a
 * proxy that does not know them.
 */
public final class FaultyApi implements AutoCloseable {
  private final ControlPlane controlPlane;
  private final HttpClient upstream;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final Set<HttpExchange> open = ConcurrentHashMap.newKeySet();
  private final Set<HttpExchange> frozen = ConcurrentHashMap.newKeySet();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** What goes wrong with one request. */
  @FunctionalInterface
  public interface Harm {
    /** Answers in whatever way. */
    void answer(HttpExchange exchange) throws IOException;
  }

  private record Fault(Predicate<String> request, boolean again, Harm harm) {}

  private FaultyApi(ControlPlane controlPlane, HttpClient upstream, HttpServer server) {
    this.controlPlane = controlPlane;
    this.upstream = upstream;
    this.server = server;
  }

  /** Begins to listen; asks the API server as an administrator. */
  public static FaultyApi start(ControlPlane controlPlane) throws IOException {
    return start(controlPlane, controlPlane.adminHttpClient());
  }

  /** Begins to listen; asks the API server as this user. */
  public static FaultyApi start(ControlPlane controlPlane, String user) throws IOException {
    return start(controlPlane, controlPlane.httpClientFor(user, List.of()));
  }

  private static FaultyApi start(ControlPlane controlPlane, HttpClient upstream)
      throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var faulty = new FaultyApi(controlPlane, upstream, server);
    server.createContext("/", faulty::serve);
    server.setExecutor(faulty.threads);
    server.start();
    return faulty;
  }

  /** Where it listens. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  /**
   * The next request that matches, and only that one, comes to harm.
   *
   * @param request of method, a blank, and path with query
   */
  public void once(Predicate<String> request, Harm harm) {
    faults.add(new Fault(request, false, harm));
  }

  /** Every request that matches comes to harm, until {@link #heal}. */
  public void always(Predicate<String> request, Harm harm) {
    faults.add(new Fault(request, true, harm));
  }

  /** From now on nothing comes to harm. */
  public void heal() {
    faults.clear();
  }

  /** Cuts every answer that is under way, watches above all. */
  public void cut() {
    open.forEach(HttpExchange::close);
  }

  /** Nothing more comes of any answer that is under way, and nobody is told: the flow is lost. */
  public void freeze() {
    frozen.addAll(open);
  }

  /** What has been asked that begins so. */
  public List<String> requests(String beginning) {
    return requests.stream().filter(request -> request.startsWith(beginning)).toList();
  }

  /** Answers in the API server's place, which never sees the request. */
  public static Harm refuse(int code, String... header) {
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

  /** Lets the API server carry it out, and answers otherwise. */
  public Harm carryOutAndThen(Harm harm) {
    return exchange -> {
      ask(exchange);
      harm.answer(exchange);
    };
  }

  /** Does something first, and then lets the request through. */
  public Harm after(Runnable action) {
    return exchange -> {
      action.run();
      forward(exchange);
    };
  }

  /** Lets the request through, but only once the latch is open. */
  public Harm heldUntil(CountDownLatch latch) {
    return after(() -> await(latch));
  }

  /** Closes the connection without a word. */
  public static Harm hangUp() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 1_000);
      exchange.close();
    };
  }

  /** Answers the head and half of the body, and then nothing more. */
  public Harm stall() {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write("{\"metadata\": {}, \"items\": [".getBytes(UTF_8));
      exchange.getResponseBody().flush();
      await(closed);
    };
  }

  /** Never answers. */
  public Harm ignore() {
    return exchange -> await(closed);
  }

  /** Answers 200 with a text. */
  public static Harm say(String text) {
    return exchange -> send(exchange, 200, text.getBytes(UTF_8));
  }

  /** A watch's last event: what it asks for is too old (410). */
  public static Harm tooOld() {
    return say(
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
      var fault = faults.stream().filter(each -> each.request().test(request)).findFirst();
      if (fault.isPresent() && (fault.get().again() || faults.remove(fault.get()))) {
        fault.get().harm().answer(exchange);
      } else {
        forward(exchange);
      }
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
    var answer = ask(exchange);
    answer
        .headers()
        .firstValue("Content-Type")
        .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    try (var body = answer.body();
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

  private HttpResponse<InputStream> ask(HttpExchange exchange) throws IOException {
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
