package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManagementServerTest {
  private final AtomicReference<Optional<String>> missing = new AtomicReference<>(Optional.empty());
  private final PrometheusMeterRegistry registry = Metrics.registry("test");
  private final ManagementServer server =
      ManagementServer.start("127.0.0.1", 0, missing::get, registry);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void readinessFollowsTheServerAndSaysWhatIsMissing() throws Exception {
    assertThat(get("/readyz").statusCode()).isEqualTo(200);

    missing.set(Optional.of("the index has not synced"));

    assertThat(get("/readyz").statusCode()).isEqualTo(503);
    assertThat(get("/readyz").body()).isEqualTo("the index has not synced\n");
    assertThat(get("/healthz").statusCode()).as("alive all the same").isEqualTo(200);
  }

  @Test
  void metricsAreServedInThePrometheusFormat() throws Exception {
    registry.counter("shipshape_things").increment();

    var answer = get("/metrics");

    assertThat(answer.body())
        .contains("shipshape_things_total 1.0")
        .contains("shipshape_build_info{component=\"test\",version=\"unknown\"} 1")
        .contains("jvm_memory_used_bytes", "process_cpu_usage");
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void anythingElseIsRefused() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
  }

  @Test
  void aTakenPortIsSaidInOneLineWithTheSettingThatNamesIt() {
    assertThatThrownBy(
            () -> ManagementServer.start("127.0.0.1", server.port(), missing::get, registry))
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith(
            "could not listen on 127.0.0.1:"
                + server.port()
                + " for management (management.port):");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }
}
