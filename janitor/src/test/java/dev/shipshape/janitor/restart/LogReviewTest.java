package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogReviewTest {
  private static final String THROTTLED = "Failed to watch: too many requests, will retry";

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-25T11:59:50.123Z\tinfo\t",
        "time=\"2026-11-25T11:59:50Z\" level=info msg=\"",
        "time=2026-11-25T11:59:50.123Z level=INFO msg=\"",
        "2026-11-25T11:59:50.123456789Z I1125 11:59:50.123456       1 main.go:7] ",
        "2026-11-25T11:59:50.123456789Z {\"ts\":1764071990,\"v\":0,\"msg\":\"",
      })
  void whatIsLoggedAtInfoOnlyQuotesInTheFormsOfGosLibrariesToo(String begin) throws Exception {
    var end = begin.endsWith("\"msg\":\"") ? "\"}" : "";

    var review = review(Collections.nCopies(6, begin + THROTTLED + end));

    assertThat(review.counts()).isEqualTo(Map.of("quote", 6));
    assertThat(review.diagnosis()).isEqualTo(Diagnosis.Kind.HEALTHY);
  }

  @Test
  void aKindThatMayNotBeReadIsNoReasonToRestart() throws Exception {
    var line =
        "E1125 11:59:5%d.000000       1 reflector.go:205] Failed to watch *v1.Secret: failed to"
            + " list *v1.Secret: secrets is forbidden";

    assertThat(review(List.of(line.formatted(1), line.formatted(3))).counts()).isEmpty();
  }

  /** As Grafana exports them. */
  @Test
  void aLogWithTheNewestLineFirstIsRefused() {
    var lines = List.of("2026-11-25T11:59:50Z a", "2026-11-25T11:59:49Z b");

    assertThatThrownBy(() -> review(lines)).hasMessageContaining("put the oldest first");
  }

  private LogReview review(List<String> lines) throws Exception {
    var log = Files.write(folder.resolve("operator.log"), lines);
    return LogReview.of(log, Signature.shipped("client-go"));
  }
}
