package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.restart.OperatorLogText.Quotes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole logs: recorded ones, and our own in the same forms. */
class OperatorLogsTest {
  private static final Path RECORDED = Path.of("src/test/resources/logs");
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Signature SIGNATURE = Signature.shipped("cfs-1.3");
  private static final String PROXY =
      "{\"level\":\"info\",\"msg\":\"HTTP response headers: 500\",\"code\":500}\n";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "cfs-1.3-stuck.log,2026-11-21T02:48:30Z,8",
    "cfs-1.3-stuck-develop.log,2026-11-21T02:48:42Z,6"
  })
  void eachFailureOfARecordedLogPrintsItsSignatureTwiceAndCountsOnce(
      String name, Instant end, int failures) throws IOException {
    var file = RECORDED.resolve(name);
    var text = Files.readString(file);
    assertThat(text.split("strconv.ParseUint", -1)).hasSize(2 * failures + 1);
    assertThat(read(file, end))
        .satisfies(
            each -> assertThat(each.kind()).isEqualTo(Diagnosis.Kind.STUCK),
            each -> assertThat(count(each)).isEqualTo(failures));
    assertThat(read(file, end.plus(SIGNATURE.window())))
        .as("an old log")
        .isEqualTo(Diagnosis.healthy());
  }

  @Test
  void theRecordedLogThatRecoveredIsNotStuck() throws IOException {
    var file = RECORDED.resolve("cfs-1.3-one-then-recovered.log");
    assertThat(read(file, Instant.parse("2026-11-21T02:48:35Z")))
        .extracting(Diagnosis::kind)
        .isEqualTo(Diagnosis.Kind.RECOVERED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void linesOfAnotherContainerBetweenAnyTwoLinesChangeNothing(boolean later) throws IOException {
    var text = failures(new OperatorLogText(later, Quotes.TWICE), 4);
    var interleaved = text.replace("\n", "\n" + PROXY);
    assertThat(read(write(interleaved), NOW)).isEqualTo(Diagnosis.failing(4));
  }

  /** Wherever a log is cut off, what is there of a failure counts as one at most. */
  @Test
  void aLogTruncatedAnywhereNeverCountsMoreThanThereWere() throws IOException {
    var text = failures(new OperatorLogText(false, Quotes.TWICE), 6);
    var file = folder.resolve("cut.log");
    for (var cut = 0; cut <= text.length(); cut += 37) {
      var complete = text.substring(0, cut).split("encountered an exception", -1).length - 1;
      Files.writeString(file, text.substring(0, cut));
      assertThat(count(read(file, NOW))).as("end at %d", cut).isBetween(complete - 1, complete);
      Files.writeString(file, firstTime(text) + text.substring(cut));
      var begun = text.substring(cut).split("Traceback", -1).length;
      assertThat(count(read(file, NOW))).as("begin at %d", cut).isBetween(begun - 2, begun);
    }
  }

  @Test
  void tenMegabytesAreReadAndNothingOfThemIsKept() throws IOException {
    var log = new OperatorLogText(false, Quotes.TWICE);
    var repeated = log.failure(NOW.minusSeconds(1), "x");
    var times = 10 * 1024 * 1024 / repeated.length() + 1;
    var scan = new LogScan(SIGNATURE, NOW.minus(SIGNATURE.window()), NOW);
    var before = usedMemory();
    var read = new AtomicLong();
    BoundedLines.forEach(
        repeated(repeated, times),
        line -> scan.accept(NOW.minusSeconds(60).plusMillis(read.incrementAndGet()), line));
    assertThat(usedMemory() - before).isLessThan(2L * 1024 * 1024);
    assertThat(count(scan.diagnosis())).isBetween(2, times);
  }

  private static long usedMemory() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static int count(Diagnosis diagnosis) {
    var failures = diagnosis.detail().replaceFirst(" failures.*", "");
    return failures.isEmpty() ? 0 : Integer.parseInt(failures);
  }

  private static String failures(OperatorLogText log, int count) {
    var text = new StringBuilder();
    for (var i = 0; i < count; i++) {
      text.append(log.failure(NOW.minusSeconds(60 - i), "id-" + i));
    }
    return text.toString();
  }

  /** So that a log that begins within a record has a time. */
  private static String firstTime(String text) {
    return text.substring(0, 23) + " - INFO    - cray.cfs.operator - begin\n";
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("operator.log"), text);
  }

  private static Diagnosis read(Path file, Instant now) throws IOException {
    var since = now.minus(SIGNATURE.window());
    var scan = new LogScan(SIGNATURE, since, now);
    var lines = new TimedLines(scan::accept, Instant.MIN);
    try (var log = Files.newInputStream(file)) {
      BoundedLines.forEach(log, lines::accept);
    }
    return scan.diagnosis();
  }

  /** One text many times over, never whole in memory. */
  private static InputStream repeated(String text, int times) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var parts = IntStream.range(0, times).mapToObj(_ -> new ByteArrayInputStream(bytes)).toList();
    return new SequenceInputStream(Collections.enumeration(parts));
  }
}
