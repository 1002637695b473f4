package dev.shipshape.janitor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.shipshape.janitor.TestCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What something between us and the API server may answer with. */
class ListPagesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kind\":\"Status\",\"status\":\"Success\"}",
        "{\"metadata\":{\"resourceVersion\":\"1\"}}",
        "{\"items\":{}}",
        "{\"items\":[]",
        "{\"items\":[{\"metadata\":{}}",
        "[]"
      })
  void whatIsNoListDoesNotPassForAnEmptyOne(String answer) throws Exception {
    assertThatExceptionOfType(ApiFailure.class).isThrownBy(() -> read(answer));
  }

  @Test
  void anEmptyListIsOne() throws Exception {
    assertThat(read("{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}")).isEmpty();
    assertThat(read("{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":null}")).isEmpty();
    assertThat(read("{\"items\":[{\"metadata\":{\"name\":\"a\"}}]}")).containsExactly("a");
  }

  /** As where something on the way drops the query: the list would never end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"metadata\":{\"continue\":\"same\"},\"items\":[]}",
        "{\"metadata\":{\"continue\":\"%d\"},\"items\":[{\"metadata\":{\"name\":\"a\"}}]}"
      })
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void aPageThatWasThereBeforeIsRefused(String answer) {
    var page = new AtomicInteger();
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> read(() -> answer.formatted(page.incrementAndGet())))
        .withMessageMatching("GET /api/v1/namespaces\\?limit=500 was answered with .* again: .*");
    assertThat(page).hasValue(2);
  }

  private List<String> read(String answer) throws Exception {
    return read(() -> answer);
  }

  private List<String> read(Supplier<String> answer) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var body = answer.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (var client =
        TestCluster.clientAt(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))) {
      var names = new ArrayList<String>();
      new ListPages(new KubernetesApi(client))
          .read("/api/v1/namespaces", each -> names.add(each.at("/metadata/name").asText()));
      return names;
    } finally {
      server.stop(0);
    }
  }
}
