package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.restart.OperatorLogText.Quotes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LogScanTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final FailureThreshold FIVE_IN_TWO_MINUTES =
      new FailureThreshold(5, Duration.ofMinutes(2));

  private final OperatorLogText log = new OperatorLogText(false, Quotes.TWICE);

  @ParameterizedTest
  @CsvSource({"false,TWICE", "false,ONCE", "false,PLAIN", "true,TWICE", "true,ONCE", "true,PLAIN"})
  void eachFailureIsCountedOnceInEveryForm(boolean later, Quotes quotes) {
    var text = new OperatorLogText(later, quotes);
    assertThat(scan(failures(text, 4, ago(60)))).isEqualTo(new Diagnosis.Failing(4));
    assertThat(scan(failures(text, 5, ago(60))))
        .isEqualTo(new Diagnosis.Stuck("log", 5, ago(60), ago(56)));
  }

  @Test
  void oneFailureThatHealedItselfIsNotStuck() {
    assertThat(scan(log.failure(ago(9), "a") + log.event(ago(8), "MODIFIED")))
        .isEqualTo(new Diagnosis.Recovered(ago(8)));
  }

  @ParameterizedTest
  @CsvSource({"MODIFIED", "DELETED"})
  void progressAfterTheFailuresMeansRecovered(String event) {
    assertThat(scan(failures(log, 20, ago(60)) + log.event(ago(2), event)))
        .isEqualTo(new Diagnosis.Recovered(ago(2)));
  }

  @Test
  void anAddedEventIsNoProgressForEveryNewWatchReplaysIt() {
    assertThat(scan(failures(log, 5, ago(60)) + log.event(ago(2), "ADDED")))
        .isInstanceOf(Diagnosis.Stuck.class);
  }

  /** Pruning before a restart makes such events itself. */
  @ParameterizedTest
  @CsvSource({"MODIFIED", "DELETED"})
  void theWatchOfSessionsGoesOnBesideAStuckOneOfJobs(String event) {
    var text =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    log.failure(ago(110 - 20 * i), "a" + i)
                        + log.sessionEvent(ago(100 - 20 * i), event))
            .collect(Collectors.joining());
    assertThat(scan(text)).isEqualTo(new Diagnosis.Stuck("log", 5, ago(110), ago(30)));
  }

  @Test
  void afterProgressTheCountBeginsAnew() {
    var text =
        failures(log, 4, ago(60)) + log.event(ago(50), "MODIFIED") + failures(log, 4, ago(40));
    assertThat(scan(text)).isEqualTo(new Diagnosis.Failing(4));
  }

  @Test
  void onlyTheWindowUpToNowCounts() {
    assertThat(scan(failures(log, 50, ago(600)))).isEqualTo(new Diagnosis.Healthy());
    assertThat(scan(failures(log, 8, ago(123)))).isInstanceOf(Diagnosis.Stuck.class);
    assertThat(scan(failures(log, 7, ago(123)))).isEqualTo(new Diagnosis.Failing(4));
    assertThat(scan(failures(log, 8, NOW.plusSeconds(1)))).isEqualTo(new Diagnosis.Healthy());
  }

  /** The clock of the operator's node is ahead of ours. */
  @Test
  void progressCountsEvenAfterNowAndFailuresNever() {
    var recovered = failures(log, 5, ago(60)) + log.event(NOW.plusSeconds(9), "MODIFIED");
    assertThat(scan(recovered)).isEqualTo(new Diagnosis.Recovered(NOW.plusSeconds(9)));
    assertThat(scan(recovered + failures(log, 8, NOW.plusSeconds(10))))
        .isEqualTo(new Diagnosis.Recovered(NOW.plusSeconds(9)));
  }

  @Test
  void aFailureCutInTwoByTheBeginningOfTheLogIsCountedOnce() {
    assertThat(scan(log.traceback("a") + failures(log, 3, ago(60)), ago(61)))
        .isEqualTo(new Diagnosis.Failing(4));
    var withoutOpener = log.traceback("a").substring(log.traceback("a").indexOf("Reason:"));
    assertThat(scan(withoutOpener + failures(log, 3, ago(60)), ago(61)))
        .isEqualTo(new Diagnosis.Failing(4));
  }

  @Test
  void aLogThatQuotesOnlyTracebacksIsCountedToo() {
    var text =
        IntStream.range(0, 5).mapToObj(i -> log.traceback("t" + i)).collect(Collectors.joining());
    assertThat(scan(text, ago(30))).isEqualTo(new Diagnosis.Stuck("log", 5, ago(30), ago(30)));
  }

  @Test
  void linesOfOtherThreadsBetweenDoNotMakeTwoOfOne() {
    var events = log.event(ago(30), "ADDED");
    var text =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    log.message(ago(30 - i), "id" + i)
                        + events
                        + log.traceback("id" + i)
                            .replace("HTTP response h", events + "HTTP response h"))
            .collect(Collectors.joining());
    assertThat(scan(text)).isEqualTo(new Diagnosis.Failing(4));
  }

  @ParameterizedTest
  @EnumSource(Quotes.class)
  void otherErrorsAreNotTheSignature(Quotes quotes) {
    var text = failures(new OperatorLogText(false, quotes), 9, ago(60));
    assertThat(scan(text.replace("None", "12x"))).isEqualTo(new Diagnosis.Healthy());
    assertThat(scan(text.replace("\"code\":500", "\"code\":410")))
        .isEqualTo(new Diagnosis.Healthy());
    assertThat(scan("the shipshape janitor met a 500 for resourceVersion=None\n".repeat(9)))
        .isEqualTo(new Diagnosis.Healthy());
  }

  @Test
  void aLineOfTenMegabytesTakesNoMoreThanItsBeginning() {
    var text = "x".repeat(10 * 1024 * 1024) + "\n" + failures(log, 5, ago(60));
    assertThat(scan(text)).isInstanceOf(Diagnosis.Stuck.class);
  }

  private static String failures(OperatorLogText text, int count, Instant first) {
    return IntStream.range(0, count)
        .mapToObj(i -> text.failure(first.plusSeconds(i), "id-" + first + "-" + i))
        .collect(Collectors.joining());
  }

  private static Diagnosis scan(String text) {
    return scan(text, Instant.MIN);
  }

  /** Takes a line's time from the line, as a log in a file. */
  private static Diagnosis scan(String text, Instant before) {
    var scan = new LogScan("log", FIVE_IN_TWO_MINUTES, ago(120), NOW);
    var timed = new FileLog.Timed(scan, before);
    try {
      BoundedLines.forEach(
          new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), timed::accept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scan.diagnosis();
  }

  private static Instant ago(int seconds) {
    return NOW.minusSeconds(seconds);
  }
}
