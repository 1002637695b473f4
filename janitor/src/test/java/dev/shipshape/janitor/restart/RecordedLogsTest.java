package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.BadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped signatures, by logs of real clients: src/test/resources/logs/README.md. */
class RecordedLogsTest {
  private static final Path LOGS = Path.of("src/test/resources/logs");

  /** By the beginning of the file's name. */
  private static final Map<String, String> SIGNATURES =
      Map.of(
          "python", "kubernetes-python",
          "kopf", "kopf",
          "go", "client-go",
          "fabric8", "fabric8",
          "cfs-1.3", "cfs-1.3",
          "cfs-operator", "cfs-1.4");

  static List<Path> stuck() throws IOException {
    return logs(".stuck.log");
  }

  static List<Path> healed() throws IOException {
    return logs(".healed.log").stream().filter(log -> !name(log).contains("quiet")).toList();
  }

  /** Each ends 75 s after the fault has begun, or earlier. */
  @Promise(
      value =
          "An operator in Python, on kopf or in Java whose watch goes on failing is found within"
              + " 90 s.",
      breaks = "Patterns for one library only.")
  @ParameterizedTest
  @MethodSource("stuck")
  void aClientThatIsStuckIsFoundWithinNinetySeconds(Path log) throws BadSettings {
    assertThat(review(log).diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  @Promise(
      value = "An operator that recovers by itself is not restarted.",
      breaks = "Counting failures but not progress.")
  @ParameterizedTest
  @MethodSource("healed")
  void aClientThatRecoversFromTheSameFaultIsNotStuck(Path log) throws BadSettings {
    var review = review(log);
    assertThat(review.counts()).as("it has met the fault").containsKey("failure");
    assertThat(review.diagnosis()).isNotEqualTo(Diagnosis.Kind.STUCK);
  }

  /** The text itself has the signature twice for each failure. */
  @ParameterizedTest
  @CsvSource({"cfs-1.3.stuck,8,0", "cfs-1.3-develop.stuck,6,0", "cfs-1.3.healed,1,5"})
  void eachFailureOfCfsCountsOnce(String log, int failures, int progress) throws BadSettings {
    assertThat(review(LOGS.resolve(log + ".log")).counts())
        .containsEntry("failure", failures)
        .containsEntry("same-failure", failures)
        .satisfies(counts -> assertThat(counts.getOrDefault("progress", 0)).isEqualTo(progress));
  }

  /** A restart would list everything anew, and add to the load. */
  @Test
  void aClientThatIsToldToSlowDownIsNotStuck() throws BadSettings {
    assertThat(review(LOGS.resolve("python-37.429.overload.log")).diagnosis())
        .isNotEqualTo(Diagnosis.Kind.STUCK);
  }

  static List<Path> others() throws IOException {
    return logs(".other.log");
  }

  /**
   * Its watch works: it is an admission or conversion webhook that is away, or what it may not do.
   */
  @ParameterizedTest
  @MethodSource("others")
  void aClientIsNotStuckByWhatOthersRefuse(Path log) throws BadSettings {
    assertThat(review(log).diagnosis()).isNotEqualTo(Diagnosis.Kind.STUCK);
  }

  static List<Path> quiet() throws IOException {
    return logs(".healed.log").stream().filter(log -> name(log).contains("quiet")).toList();
  }

  /** As most in Go and Java: it has listed anew, works, and logs nothing of that. */
  @ParameterizedTest
  @MethodSource("quiet")
  void aClientThatSaysNothingWhenItWorksAgainIsNotStuckForLong(Path log) throws BadSettings {
    var signature = signature(log);
    assertThat(review(log).counts()).containsKey("failure").doesNotContainKey("progress");
    assertThat(LogReview.of(log, signature, signature.resolveAfter().plusSeconds(1)).diagnosis())
        .isEqualTo(Diagnosis.Kind.RECOVERED);
  }

  @Test
  void eachSignatureOfAClientIsProvedByBoth() throws IOException {
    for (var client : SIGNATURES.keySet()) {
      assertThat(stuck()).as(client).anyMatch(log -> name(log).startsWith(client));
      assertThat(logs(".healed.log")).as(client).anyMatch(log -> name(log).startsWith(client));
    }
  }

  private static LogReview review(Path log) throws BadSettings {
    return LogReview.of(log, signature(log));
  }

  private static Signature signature(Path log) {
    return SIGNATURES.entrySet().stream()
        .filter(each -> name(log).startsWith(each.getKey()))
        .map(each -> Signature.shipped(each.getValue()))
        // Recorded for a shorter time than failures must go on.
        .map(
            found ->
                name(log).equals("go.500.stuck.log") ? found.with(5, Duration.ofMinutes(1)) : found)
        .findFirst()
        .orElseThrow();
  }

  private static String name(Path log) {
    return log.getFileName().toString();
  }

  private static List<Path> logs(String end) throws IOException {
    try (Stream<Path> files = Files.list(LOGS)) {
      return files.filter(file -> name(file).endsWith(end)).sorted().toList();
    }
  }
}
