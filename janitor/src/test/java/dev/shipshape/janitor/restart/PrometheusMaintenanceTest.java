package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.session.RestEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusMaintenanceTest {
  private static final String QUERY = "ALERTS{alertname=\"Maintenance\", alertstate=\"firing\"}";

  @TempDir Path folder;
  private FakePrometheus prometheus;

  @BeforeEach
  void start() throws IOException {
    prometheus = FakePrometheus.start();
  }

  @AfterEach
  void stop() {
    prometheus.close();
  }

  @Test
  void anEmptyResultBlocksNothing() {
    prometheus.firing(false);
    assertThat(maintenance(null).blockReason()).isEmpty();
    assertThat(prometheus.queries).containsExactly(QUERY);
    assertThat(prometheus.tokens).containsExactly("null");
  }

  @Test
  void anyResultBlocks() {
    prometheus.firing(true);
    assertThat(maintenance(null).blockReason()).contains("the query " + QUERY + " has 1 results");
  }

  @Test
  void nothingIsRememberedBetweenTwoQuestions() {
    var maintenance = maintenance(null);
    prometheus.firing(true);
    assertThat(maintenance.blockReason()).isPresent();
    prometheus.firing(false);
    assertThat(maintenance.blockReason()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "400 | {\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"1:3: parse error\"} |"
            + " it answered 400: 1:3: parse error",
        "503 | {\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"} | it"
            + " answered 503: query timed out",
        "302 | moved | not JSON",
        "200 | <html>a login page</html> | not JSON",
        "200 | {} | it answered 200",
        "200 |"
            + " {\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1792843200,\"0\"]}}"
            + " | must return a vector, not \"scalar\"",
        "200 | {\"status\":\"success\",\"data\":{\"resultType\":\"vector\"}} | must return a"
            + " vector",
        "200 | {\"status\":\"success\",\"warnings\":[\"no"
            + " store\"],\"data\":{\"resultType\":\"vector\",\"result\":[]}} | has warnings: [\"no"
            + " store\"]",
      })
  void everyDoubtBlocks(int code, String answer, String reason) {
    prometheus.answer(code, answer);
    assertThat(maintenance(null).blockReason().orElseThrow())
        .startsWith("could not check for maintenance: Prometheus at http://127.0.0.1:")
        .contains(reason);
  }

  @Test
  void whoCannotBeReachedBlocks() {
    prometheus.close();
    assertThat(maintenance(null).blockReason().orElseThrow())
        .contains("could not check for maintenance")
        .contains("Connect");
  }

  @Test
  void whatItSaysIsOneShortLineInTheLog() {
    var forged = "x\\n{\\\"event\\\": \\\"deletion\\\"}".repeat(1000);
    prometheus.answer(500, "{\"status\": \"error\", \"error\": \"%s\"}".formatted(forged));
    assertThat(maintenance(null).blockReason().orElseThrow())
        .contains("it answered 500: x ")
        .doesNotContain("\n")
        .hasSizeLessThan(500);
  }

  @Test
  void anAnswerThatDoesNotEndOrIsEndlessBlocks() {
    prometheus.stall();
    assertThat(maintenance(null, Duration.ofMillis(200)).blockReason().orElseThrow())
        .contains("no complete answer within PT0.2S");
    prometheus.answer(200, "[" + "1,".repeat(1024 * 1024));
    assertThat(maintenance(null).blockReason().orElseThrow())
        .contains("could not check for maintenance");
  }

  @Test
  void theTokenIsReadAfreshAndNeverSaid() throws IOException {
    var file = folder.resolve("token");
    var maintenance = maintenance(file);
    assertThat(maintenance.blockReason().orElseThrow()).contains("NoSuchFile");
    Files.writeString(file, "one\n");
    assertThat(maintenance.blockReason()).isEmpty();
    Files.writeString(file, "two\n");
    assertThat(maintenance.blockReason()).isEmpty();
    assertThat(prometheus.tokens).containsExactly("Bearer one", "Bearer two");
    Files.writeString(file, "sec\nret");
    assertThat(maintenance.blockReason().orElseThrow())
        .contains("no token may have")
        .doesNotContain("sec\n")
        .doesNotContain("ret ");
  }

  private PrometheusMaintenance maintenance(@Nullable Path tokenFile) {
    return maintenance(tokenFile, Duration.ofSeconds(5));
  }

  private PrometheusMaintenance maintenance(@Nullable Path tokenFile, Duration timeout) {
    var endpoint = new RestEndpoint(prometheus.address(), tokenFile, null);
    return new PrometheusMaintenance(endpoint, QUERY, timeout);
  }
}
