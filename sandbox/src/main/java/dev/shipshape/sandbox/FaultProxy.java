package dev.shipshape.sandbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.certs.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An HTTPS server between a client and the API server that passes everything on, watches too, until
 * it is told to do it badly. Whoever calls it speaks to the API server as the user that it was
 * started for.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BUFFER = 8 * 1024;
  private static final List<String> PASSED_ON = List.of("Accept", "Content-Type");

  private record Rule(Predicate<URI> affected, Fault fault, AtomicInteger times) {
    boolean holds(URI uri) {
      return affected.test(uri) && times.getAndDecrement() > 0;
    }
  }

  private final ControlPlane cluster;
  private final HttpClient client;
  private final ExecutorService threads;
  private final HttpsServer server;
  private final Set<HttpExchange> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Rule rule;

  private FaultProxy(
      ControlPlane cluster, HttpClient client, ExecutorService threads, HttpsServer server) {
    this.cluster = cluster;
    this.client = client;
    this.threads = threads;
    this.server = server;
  }

  /**
   * Listens on a free port.
   *
   * @param user as whom it asks the API server
   */
  public static FaultProxy start(ControlPlane cluster, String user) {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var pair =
        cluster
            .authority()
            .issueServer(
                new ServerRequest("fault-proxy", List.of("127.0.0.1"), Duration.ofDays(1)));
    var tls = ClientContext.presenting(pair, cluster.authority().certificate());
    try {
      var server =
          HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls));
      server.setExecutor(threads);
      var proxy = new FaultProxy(cluster, cluster.httpClientFor(user, List.of()), threads, server);
      server.createContext("/", proxy::handle);
      server.start();
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("could not listen on a free port", e);
    }
  }

  /** The text of a kubeconfig for the API server behind this. */
  public String kubeconfig() {
    var address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    var pair = cluster.authority().issueClient("through-a-proxy", List.of(), Duration.ofDays(1));
    return Kubeconfig.text(address, cluster.authority().certificate(), pair);
  }

  /** From now on, requests for such addresses meet this fault. */
  public void inject(Predicate<URI> affected, Fault fault) {
    inject(affected, fault, Integer.MAX_VALUE);
  }

  /** The next so many requests for such addresses meet this fault. */
  public void inject(Predicate<URI> affected, Fault fault, int times) {
    rule = new Rule(affected, fault, new AtomicInteger(times));
  }

  /** From now on, all is passed on again. */
  public void heal() {
    rule = null;
  }

  /** Cuts every request that is being answered, watches above all. */
  public void cutAll() {
    open.forEach(HttpExchange::close);
  }

  private void handle(HttpExchange exchange) {
    open.add(exchange);
    try (exchange) {
      var now = rule;
      var uri = exchange.getRequestURI();
      if (now == null || !now.holds(uri)) {
        passOn(exchange, Long.MAX_VALUE);
        return;
      }
      switch (now.fault()) {
        case Fault.Status(var code) -> status(exchange, code);
        case Fault.Slow(var delay) -> {
          if (!closed.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
            passOn(exchange, Long.MAX_VALUE);
          }
        }
        case Fault.Cut(var afterBytes) -> passOn(exchange, afterBytes);
        case Fault.Gone() -> gone(exchange);
      }
    } catch (IOException e) {
      // One of both sides is gone; the other one is closed too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(exchange);
    }
  }

  private void passOn(HttpExchange exchange, long mostBytes)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(cluster.server().resolve(exchange.getRequestURI()))
            .method(
                exchange.getRequestMethod(),
                BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (var header : PASSED_ON) {
      var value = exchange.getRequestHeaders().getFirst(header);
      if (value != null) {
        request.header(header, value);
      }
    }
    var answer = client.send(request.build(), BodyHandlers.ofInputStream());
    answer
        .headers()
        .firstValue("Content-Type")
        .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
    // Of unknown length: a watch goes on for minutes.
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    // Otherwise the head waits for a watch's first event.
    exchange.getResponseBody().flush();
    try (var body = answer.body()) {
      copy(body, exchange, mostBytes);
    }
  }

  private static void copy(InputStream from, HttpExchange exchange, long mostBytes)
      throws IOException {
    var to = exchange.getResponseBody();
    var buffer = new byte[BUFFER];
    var left = mostBytes;
    while (left > 0) {
      var read = from.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        to.close();
        return;
      }
      to.write(buffer, 0, read);
      to.flush();
      left -= read;
    }
  }

  private static void status(HttpExchange exchange, int code) throws IOException {
    respond(
        exchange,
        code,
        """
        {"kind":"Status","apiVersion":"v1","status":"Failure","message":"injected","code":%d}
        """
            .formatted(code));
  }

  private static void gone(HttpExchange exchange) throws IOException {
    respond(
        exchange,
        200,
        """
        {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",\
        "message":"too old resource version","reason":"Expired","code":410}}
        """);
  }

  private static void respond(HttpExchange exchange, int code, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.getResponseBody().close();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    cutAll();
    threads.shutdownNow();
    client.shutdownNow();
  }
}
