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
import org.junit.jupiter.api.Test;
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

  private static List<String> read(String answer) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try (var client =
        TestCluster.clientAt(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))) {
      var names = new ArrayList<String>();
      new ListPages(new KubernetesApi(client))
          .read(
              "/api/v1/namespaces",
              ListPages.FULL,
              each -> names.add(each.at("/metadata/name").asText()));
      return names;
    } finally {
      server.stop(0);
    }
  }
}
