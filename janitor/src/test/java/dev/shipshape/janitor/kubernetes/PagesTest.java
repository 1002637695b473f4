package dev.shipshape.janitor.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.shipshape.janitor.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What something between us and the API server may answer with. */
class PagesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}",
        "{\"metadata\":{},\"items\":[]}",
        "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[",
        "[]",
        "<html>"
      })
  void whatIsNoListDoesNotPassForAnEmptyOne(String answer) {
    assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(() -> read(answer));
  }

  @Test
  void anEmptyListIsOne() throws Exception {
    assertThat(read("{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}")).isEmpty();
  }

  /** As where something on the way drops the query: the list would never end. */
  @Test
  void aPageThatIsFollowedByItselfIsRefused() {
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(
            () ->
                read("{\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"x\"},\"items\":[]}"))
        .withMessageContaining("sent the same continue token twice");
  }

  /** As the client library waits if its own thread has run out of memory. */
  @Test
  void aListWhoseAnswerIsLostFails() {
    var lost = new CompletableFuture<String>();

    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> Pages.await(lost::get, Duration.ofMillis(50)))
        .withMessageContaining("no answer within PT0.05S");
  }

  private static List<String> read(String answer) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (var client =
        TestCluster.clientAt(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))) {
      return Pages.<ConfigMap>of(client.configMaps().inNamespace("x")::list)
          .map(each -> each.getMetadata().getName())
          .toList();
    } finally {
      server.stop(0);
    }
  }
}
