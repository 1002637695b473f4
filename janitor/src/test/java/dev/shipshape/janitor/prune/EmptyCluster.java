package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.shipshape.janitor.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** An API server that has nothing of whatever it is asked for. */
final class EmptyCluster {
  private static final KubernetesClient CLIENT = TestCluster.clientAt(start());

  private EmptyCluster() {}

  static KubernetesClient client() {
    return CLIENT;
  }

  private static URI start() {
    try {
      var loopback = InetAddress.getLoopbackAddress();
      var server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
      server.createContext(
          "/",
          exchange -> {
            var empty =
                "{\"kind\": \"List\", \"apiVersion\": \"v1\", \"metadata\": {\"resourceVersion\":"
                    + " \"1\"}, \"items\": []}";
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, empty.length());
            exchange.getResponseBody().write(empty.getBytes(UTF_8));
            exchange.close();
          });
      server.start();
      return URI.create(
          "http://%s:%d".formatted(loopback.getHostAddress(), server.getAddress().getPort()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
