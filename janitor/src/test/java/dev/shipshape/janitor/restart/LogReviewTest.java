package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.junit.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogReviewTest {
  private static final String FAILED = "Failed to watch: connection refused, will retry";

  private static final String REFUSED =
      "E1125 11:%02d:%02d.000000       1 reflector.go:205] Failed to watch *v1.Pod: failed to"
          + " list *v1.Pod: Get \"https://10.0.0.1/api/v1/pods\": dial tcp: connect: connection"
          + " refused";

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-25T11:59:50.123Z\tinfo\t",
        "time=\"2026-11-25T11:59:50Z\" level=info msg=\"",
        "time=2026-11-25T11:59:50.123Z level=INFO msg=\"",
        "2026-11-25T11:59:50.123456789Z I1125 11:59:50.123456       1 main.go:7] ",
        "2026-11-25T11:59:50.123456789Z stderr F I1125 11:59:50.123456       1 main.go:7] ",
        "2026-11-25T11:59:50.123456789Z {\"ts\":1764071990,\"v\":0,\"msg\":\"",
        "2026-11-25T11:59:50.123456789Z {\"level\":\"Level(-4)\",\"msg\":\"",
        "2026-11-25T11:59:50.123Z\tLEVEL(-10)\tcache\t",
        "[pod/a-0/manager] 2026-11-25T11:59:50.123456789Z I1125 11:59:50.123456       1 a.go:7] ",
        "INFO 2026-11-25 11:59:50,123 client ",
      })
  void whatIsLoggedAtInfoOnlyQuotesInTheFormsOfGosLibrariesToo(String begin) throws Exception {
    var end = begin.endsWith("\"msg\":\"") ? "\"}" : "";

    var review = review(Collections.nCopies(6, begin + FAILED + end));

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

  /** A restart brings no definition, and older ones log 410 every few minutes for each kind. */
  @Test
  void whatARestartDoesNotHelpDoesNotCount() throws Exception {
    var lines = new ArrayList<String>();
    for (var second = 0; second < 280; second += 10) {
      var time =
          "E1125 11:%02d:%02d.000000       1 reflector.go:205] "
              .formatted(second / 60, second % 60);
      lines.add(
          time
              + "\"Failed to watch\" err=\"failed to list *v1alpha2.TLSRoute: the server could not"
              + " find the requested resource (get tlsroutes.gateway.networking.k8s.io)\"");
      lines.add(time + "watch of *v1.ConfigMap ended with: too old resource version: 111 (222)");
    }

    assertThat(review(lines).counts()).isEmpty();
  }

  @Test
  void anErrorIsNoProgress() throws Exception {
    var log = new ArrayList<String>();
    for (var minute = 0; minute < 5; minute++) {
      log.add("2026-11-25T11:0%d:00Z ERROR Failed to watch: EOF".formatted(minute));
      log.add("2026-11-25T11:0%d:30Z ERROR Failed to watch: EOF".formatted(minute));
      log.add("2026-11-25T11:0%d:40Z ERROR not reconciled: cache not synced".formatted(minute));
      log.add(
          "2026-11-25T11:0%d:45.123456789Z {\"ts\":1,\"msg\":\"not reconciled\",\"err\":\"EOF\"}"
              .formatted(minute));
    }
    assertThat(review(log).diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
    log.add("2026-11-25T11:04:50Z INFO reconciled");
    assertThat(review(log).diagnosis()).isEqualTo(Diagnosis.Kind.RECOVERED);
  }

  @Test
  void apiServersThatAreRestartedOneAfterTheOtherAreNoReasonToRestart() throws Exception {
    var rolling = new ArrayList<String>();
    for (var second = 0; second < 230; second += 2) {
      if (second < 30 || (second >= 125 && second < 130) || second > 222) {
        rolling.add(REFUSED.formatted(second / 60, second % 60));
      }
    }
    assertThat(review(rolling).diagnosis()).isEqualTo(Diagnosis.Kind.FAILING);
  }

  @Promise(
      value = "An operator in Go whose watch fails for four minutes is found.",
      breaks = "Counting only what is logged within two minutes.")
  @Test
  void aWatchThatGoesOnFailingIsFoundInGoToo() throws Exception {
    var lasting = new ArrayList<String>();
    for (var second = 0; second < 240; second += 40) {
      lasting.add(REFUSED.formatted(second / 60, second % 60));
    }
    assertThat(review(lasting).diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  /** As by stern, whose operator logs the rest with dates. */
  @Test
  void klogBehindTheNamesOfPodAndContainerIsRead() throws Exception {
    var lines = new ArrayList<>(List.of("widget-7 manager 2026-11-25T10:59:00Z\tINFO\tStarting"));
    for (var second = 0; second < 240; second += 40) {
      lines.add("widget-7 manager " + REFUSED.formatted(second / 60, second % 60));
    }
    assertThat(review(lines).diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  @Test
  void aFailureWithoutATimeIsNotGivenThatOfALineBefore() {
    var failed = "{\"severity\":\"error\",\"ts\":1764068400.1,\"msg\":\"%s\"}";
    var lines =
        List.of(
            "2026-11-25T11:00:00Z starting",
            failed.formatted("Failed to watch *v1.Pod: dial tcp: connect: connection refused"));

    assertThatThrownBy(() -> review(lines))
        .hasMessageContaining("operator.log:2: is a failure without a time");
  }

  /** As Grafana exports them. */
  @Test
  void aLogWithTheNewestLineFirstIsRefused() {
    var lines = List.of("2026-11-25T11:59:50Z a", "2026-11-25T11:59:49Z b");

    assertThatThrownBy(() -> review(lines)).hasMessageContaining("put the oldest first");
  }

  /** Lines of klog have no year. */
  @Test
  void aLogMayGoOnIntoTheNewYear() throws Exception {
    var lines =
        List.of(
            "E1231 23:59:50.000000       1 reflector.go:205] a",
            "E0101 00:00:10.000000       1 reflector.go:205] b");
    var log = Files.write(folder.resolve("operator.log"), lines);
    Files.setLastModifiedTime(log, FileTime.from(Instant.parse("2026-01-01T00:05:00Z")));

    assertThat(LogReview.of(log, Signature.shipped("client-go")).diagnosis())
        .isEqualTo(Diagnosis.Kind.HEALTHY);
  }

  /** As in the text of a certificate. */
  @Test
  void aDateInTheFutureIsNotTheTimeOfALine() throws Exception {
    var lines = new ArrayList<String>();
    for (var second = 0; second < 240; second += 40) {
      lines.add(REFUSED.formatted(second / 60, second % 60));
      lines.add("    Not After : 2199-01-01 00:00:00 UTC");
    }
    assertThat(review(lines).diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  /** Not that of an object, or of further text. */
  @Test
  void theTimeOfALineIsTheOneThatItWasWrittenAt() throws Exception {
    var json = new ArrayList<>(List.of("{\"ts\":\"2026-11-25T11:00:00Z\",\"msg\":\"begins\"}"));
    var text = new ArrayList<>(List.of("2026/11/25 10:59:00 begins"));
    for (var second = 0; second < 240; second += 40) {
      var time = "11:%02d:%02d".formatted(second / 60, second % 60);
      json.add(
          "{\"msg\":\"%s\",\"x\":\"%s\",\"creationTimestamp\":\"2020-01-01T00:00:00Z\",\"ts\":\"2026-11-25T%sZ\"}"
              .formatted(FAILED, "x".repeat(400), time));
      text.add("2026/11/25 %s ERROR %s".formatted(time, FAILED));
    }
    text.add("    not after: 2026-11-25 23:00:00");

    for (var lines : List.of(json, text)) {
      assertThat(review(lines).diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
    }
  }

  /** As a program makes that packs the same files into the same archive. */
  @Test
  void aFileFromAnArchiveMayHaveAnyTime() throws Exception {
    var lines = List.of("2026-11-25T11:59:49Z a", "2026-11-25T11:59:50Z b");
    var log = Files.write(folder.resolve("operator.log"), lines);
    Files.setLastModifiedTime(log, FileTime.from(Instant.EPOCH));

    assertThat(LogReview.of(log, Signature.shipped("client-go")).last())
        .isEqualTo(Instant.parse("2026-11-25T11:59:50Z"));
  }

  private LogReview review(List<String> lines) throws Exception {
    var log = Files.write(folder.resolve("operator.log"), lines);
    return LogReview.of(log, Signature.shipped("client-go"));
  }
}
