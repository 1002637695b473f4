package dev.shipshape.janitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shipshape.janitor.restart.TimedLines;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Executors;

/** Answers in place of a kubelet for pods that no node runs: from files, by their operator. */
final class LogServer implements AutoCloseable {
  private final HttpServer server;
  private final Path folder;

  private LogServer(HttpServer server, Path folder) {
    this.server = server;
    this.folder = folder;
  }

  /** The log of a pod is in {@code OPERATOR.log}, of which its name begins with the operator. */
  static LogServer start(Path folder) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var logs = new LogServer(server, folder);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", logs::answer);
    server.start();
    return logs;
  }

  Redirect redirect() {
    return new Redirect(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  /** Sends a client's requests for logs here, and all others on. */
  record Redirect(URI address) implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (request.uri().getPath().endsWith("/log")) {
        builder.uri(address.resolve(request.uri().getPath()));
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    var pod = exchange.getRequestURI().getPath().replaceFirst(".*/pods/(.*)/log", "$1");
    var isPrevious = String.valueOf(exchange.getRequestURI().getQuery()).contains("previous=true");
    try (var files = Files.list(folder)) {
      var log =
          files
              .filter(file -> pod.startsWith(file.getFileName().toString().replace(".log", "-")))
              .findFirst();
      if (log.isEmpty() || isPrevious) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      var text = new StringBuilder();
      var lines =
          new TimedLines(
              (time, line) -> text.append(time).append(' ').append(line).append('\n'),
              Instant.EPOCH);
      Files.readString(log.get()).lines().forEach(lines::accept);
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write(text.toString().getBytes(UTF_8));
    } finally {
      exchange.close();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
