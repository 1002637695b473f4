package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.shipshape.janitor.restart.OperatorLogText.Quotes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LogScanTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Signature FIVE_IN_TWO_MINUTES = Signature.shipped("cfs-1.3");

  private final OperatorLogText log = new OperatorLogText(false, Quotes.TWICE);

  @ParameterizedTest
  @CsvSource({"false,TWICE", "false,ONCE", "false,PLAIN", "true,TWICE", "true,ONCE", "true,PLAIN"})
  void eachFailureIsCountedOnceInEveryForm(boolean later, Quotes quotes) {
    var text = new OperatorLogText(later, quotes);
    assertThat(scan(failures(text, 4, ago(60)))).isEqualTo(Diagnosis.failing(4));
    var proxy = "{\"level\":\"info\",\"msg\":\"HTTP response headers: 500\",\"code\":500}\n";
    assertThat(scan(failures(text, 4, ago(60)).replace("\n", "\n" + proxy)))
        .as("lines of another container between any two lines")
        .isEqualTo(Diagnosis.failing(4));
    assertThat(scan(failures(text, 5, ago(60)))).isEqualTo(Diagnosis.stuck(5, ago(60), ago(56)));
  }

  @Test
  void oneFailureThatHealedItselfIsNotStuck() {
    assertThat(scan(log.failure(ago(9), "a") + log.event(ago(8), "MODIFIED")))
        .isEqualTo(Diagnosis.recovered(ago(8)));
  }

  @ParameterizedTest
  @CsvSource({"MODIFIED", "DELETED"})
  void progressAfterTheFailuresMeansRecovered(String event) {
    assertThat(scan(failures(log, 20, ago(60)) + log.event(ago(2), event)))
        .isEqualTo(Diagnosis.recovered(ago(2)));
  }

  @Test
  void anAddedEventIsNoProgressForEveryNewWatchReplaysIt() {
    assertThat(scan(failures(log, 5, ago(60)) + log.event(ago(2), "ADDED")))
        .extracting(Diagnosis::kind)
        .isEqualTo(Diagnosis.Kind.STUCK);
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
    assertThat(scan(text)).isEqualTo(Diagnosis.stuck(5, ago(110), ago(30)));
  }

  @Test
  void afterProgressTheCountBeginsAnew() {
    var text =
        failures(log, 4, ago(60)) + log.event(ago(50), "MODIFIED") + failures(log, 4, ago(40));
    assertThat(scan(text)).isEqualTo(Diagnosis.failing(4));
  }

  @Test
  void afterAPauseTheCountBeginsAnew() {
    var fabric8 = Signature.shipped("fabric8");
    var scan = new LogScan(fabric8, ago(120), NOW);
    for (var second : List.of(110, 109, 108, 40, 5)) {
      scan.accept(
          ago(second), "[main] WARN Reflector - listSyncAndWatch failed for v1/pods, will retry");
    }

    assertThat(scan.diagnosis()).isEqualTo(Diagnosis.failing(2));
  }

  @Test
  void onlyTheWindowUpToNowCounts() {
    assertThat(scan(failures(log, 50, ago(600)))).isEqualTo(Diagnosis.healthy());
    assertThat(scan(failures(log, 8, ago(123))))
        .extracting(Diagnosis::kind)
        .isEqualTo(Diagnosis.Kind.STUCK);
    assertThat(scan(failures(log, 7, ago(123)))).isEqualTo(Diagnosis.failing(4));
    assertThat(scan(failures(log, 8, NOW.plusSeconds(1)))).isEqualTo(Diagnosis.healthy());
  }

  /** The clock of the operator's node is ahead of ours. */
  @Test
  void progressCountsEvenAfterNowAndFailuresNever() {
    var recovered = failures(log, 5, ago(60)) + log.event(NOW.plusSeconds(9), "MODIFIED");
    assertThat(scan(recovered)).isEqualTo(Diagnosis.recovered(NOW.plusSeconds(9)));
    assertThat(scan(recovered + failures(log, 8, NOW.plusSeconds(10))))
        .isEqualTo(Diagnosis.recovered(NOW.plusSeconds(9)));
  }

  /** The node booted with a clock that was ahead, before it was corrected. */
  @Test
  void aFailureFromBeforeAClockWasSetBackHidesNoneThatFollow() {
    assertThat(scan(log.failure(NOW.plusSeconds(3600), "a") + failures(log, 5, ago(60))))
        .isEqualTo(Diagnosis.stuck(5, ago(60), ago(56)));
  }

  @Test
  void aFailureCutInTwoByTheBeginningOfTheLogIsCountedOnce() {
    assertThat(scan(log.traceback("a") + failures(log, 3, ago(60)), ago(61)))
        .isEqualTo(Diagnosis.failing(4));
    var withoutOpener = log.traceback("a").substring(log.traceback("a").indexOf("Reason:"));
    assertThat(scan(withoutOpener + failures(log, 3, ago(60)), ago(61)))
        .isEqualTo(Diagnosis.failing(4));
  }

  /** Whether it works could not be seen in it. */
  @Test
  void aLogThatHasOnlyTracebacksTellsNothing() {
    var text =
        IntStream.range(0, 5).mapToObj(i -> log.traceback("t" + i)).collect(Collectors.joining());
    assertThat(scan(text, ago(30)).detail()).startsWith("unknown log format: 1 failures");
  }

  @Test
  void linesOfOtherThreadsBetweenDoNotMakeTwoOfOne() {
    var text =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    log.message(ago(30 - i), "id" + i)
                        + log.event(ago(30 - i), "ADDED")
                        + log.traceback("id" + i)
                            .replace(
                                "HTTP response h",
                                log.event(ago(30 - i), "ADDED") + "HTTP response h"))
            .collect(Collectors.joining());
    assertThat(scan(text)).isEqualTo(Diagnosis.failing(4));
  }

  @ParameterizedTest
  @EnumSource(Quotes.class)
  void otherErrorsAreNotTheSignature(Quotes quotes) {
    var text = failures(new OperatorLogText(false, quotes), 9, ago(60));
    assertThat(scan(text.replace("None", "12x"))).isEqualTo(Diagnosis.healthy());
    assertThat(scan(text.replace("\"code\":500", "\"code\":410"))).isEqualTo(Diagnosis.healthy());
    assertThat(scan("the shipshape janitor met a 500 for resourceVersion=None\n".repeat(9)))
        .isEqualTo(Diagnosis.healthy());
  }

  @Test
  void aLineOfTenMegabytesTakesNoMoreThanItsBeginning() {
    var text = "x".repeat(10 * 1024 * 1024) + "\n" + failures(log, 5, ago(60));
    assertThat(scan(text)).extracting(Diagnosis::kind).isEqualTo(Diagnosis.Kind.STUCK);
  }

  /** Wherever a log is cut off, what is there of a failure counts as one at most. */
  @Test
  void aLogTruncatedAnywhereNeverCountsMoreThanThereWere() {
    var text = failures(log, 6, ago(60));
    // So that a log that begins within a record has a time.
    var begin = text.substring(0, 23) + " - INFO    - cray.cfs.operator - begin\n";
    for (var cut = 0; cut <= text.length(); cut += 37) {
      var complete = text.substring(0, cut).split("encountered an exception", -1).length - 1;
      assertThat(count(scan(text.substring(0, cut))))
          .as("end at %d", cut)
          .isBetween(complete - 1, complete);
      var begun = text.substring(cut).split("Traceback", -1).length;
      assertThat(count(scan(begin + text.substring(cut))))
          .as("begin at %d", cut)
          .isBetween(begun - 2, begun);
    }
  }

  @Test
  void tenMegabytesAreReadAndNothingOfThemIsKept() throws IOException {
    var failure = log.failure(ago(1), "x").getBytes(StandardCharsets.UTF_8);
    var times = 10 * 1024 * 1024 / failure.length + 1;
    var parts = IntStream.range(0, times).mapToObj(_ -> new ByteArrayInputStream(failure)).toList();
    var scan = new LogScan(FIVE_IN_TWO_MINUTES, ago(120), NOW);
    var before = usedMemory();
    var read = new AtomicLong();
    BoundedLines.forEach(
        new SequenceInputStream(Collections.enumeration(parts)),
        line -> scan.accept(ago(60).plusMillis(read.incrementAndGet()), line));
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

  /** As a pipeline, a terminal or a logging library writes the same lines. */
  private enum Frame {
    COLOURS("\u001b[31m%s\u001b[0m"),
    PREFIX("[pod/cray-cfs-operator-7f4 cray-cfs-operator] %s"),
    CARRIAGE_RETURN("%s\r"),
    ISO("%s"),
    JSON_LINES("{\"stream\": \"stderr\", \"log\": %s}"),
    UNKNOWN("<11>Nov 21 node1 operator[7]: %s");

    private final String form;

    Frame(String form) {
      this.form = form;
    }

    String of(String line) {
      var text =
          switch (this) {
            case ISO ->
                line.replaceFirst("^(\\S+) (\\S+),(\\d{3}) - ([A-Z]+) *- ", "$1T$2.$3Z $4 ");
            case JSON_LINES -> new TextNode(line + "\n").toString();
            case UNKNOWN -> line.replaceFirst("^.*? - ([A-Z]+) +- ", "$1/");
            case COLOURS, PREFIX, CARRIAGE_RETURN -> line;
          };
      return form.formatted(text);
    }
  }

  /** Failures and progress are found in the same forms. */
  @ParameterizedTest
  @EnumSource(Frame.class)
  void aKnownFrameHidesNeitherFailuresNorProgress(Frame frame) {
    var stuck = failures(log, 5, ago(60));
    var recovered = framed(frame, stuck + log.event(ago(2), "MODIFIED"));
    assertThat(framed(frame, stuck))
        .extracting(Diagnosis::kind)
        .isEqualTo(frame == Frame.UNKNOWN ? Diagnosis.Kind.UNREADABLE : Diagnosis.Kind.STUCK);
    assertThat(recovered).extracting(Diagnosis::kind).isEqualTo(Diagnosis.Kind.RECOVERED);
  }

  @Test
  void aRecordInOneJsonObjectIsAFailureOrProgress() {
    var failure =
        json("ERROR", "Capture stream cfsv1_job_informer encountered an exception: (500)");
    var progress = json("INFO", "EVENT: MODIFIED Job=cfs-1 (version=38081900)");
    failure.put("message", failure.path("message").asText() + "\n" + log.message(ago(9), "a"));
    failure.put("exc_info", log.traceback("a"));
    var stuck = List.of(failure, failure, failure, failure, failure);
    assertThat(timed(stuck.stream().map(Object::toString)))
        .isEqualTo(Diagnosis.stuck(5, ago(30), ago(26)));
    assertThat(timed(Stream.concat(stuck.stream(), Stream.of(progress)).map(Object::toString)))
        .isEqualTo(Diagnosis.recovered(ago(25)));
  }

  /** Whoever logs what the server answered is not the watch that failed. */
  @Test
  void aLineThatOnlyQuotesTheAnswerIsNoFailure() {
    var body = log.traceback("a").lines().filter(line -> line.contains("body")).toList().getFirst();
    var quote = "2026-11-21 11:59:30,000 - INFO    - cray.cfs.operator - retried after " + body;
    assertThat(timed(Stream.generate(() -> quote).limit(9))).isEqualTo(Diagnosis.healthy());
    var json = json("info", "retried after " + body).toString();
    assertThat(timed(Stream.generate(() -> json).limit(9))).isEqualTo(Diagnosis.healthy());
  }

  @Test
  void whatARecordQuotesBehindACharacterThatEndsLinesElsewhereIsNoFailure() {
    var body = log.traceback("a").lines().filter(line -> line.contains("body")).toList().getFirst();
    for (var end : List.of("\r", "\u0085", "\u2028")) {
      var quote = "2026-11-21 11:59:30,000 - INFO    - cray.cfs.operator - 10%" + end + body;
      assertThat(timed(Stream.generate(() -> quote).limit(9))).isEqualTo(Diagnosis.healthy());
      var json = json("info", "10%" + end + body).toString();
      assertThat(timed(Stream.generate(() -> json).limit(9))).isEqualTo(Diagnosis.healthy());
    }
  }

  @Test
  void aLongLineOfBackslashesTakesNoTime() {
    var begin = "resourceVersion: Invalid value: \"None\": strconv.ParseUint";
    var lines = List.of(begin + "\\".repeat(64 * 1024), (begin + "\\").repeat(1_000));
    assertTimeoutPreemptively(Duration.ofSeconds(1), () -> timed(lines.stream()));
  }

  private static ObjectNode json(String level, String message) {
    return JsonNodeFactory.instance.objectNode().put("level", level).put("message", message);
  }

  private static Diagnosis framed(Frame frame, String text) {
    return timed(text.lines().map(frame::of), Duration.ofMillis(300));
  }

  /** With the kubelet's times. */
  private static Diagnosis timed(Stream<String> lines) {
    return timed(lines, Duration.ofSeconds(1));
  }

  private static Diagnosis timed(Stream<String> lines, Duration step) {
    var scan = new LogScan(FIVE_IN_TWO_MINUTES, ago(120), NOW);
    var time = new AtomicReference<>(ago(30));
    lines.forEach(line -> scan.accept(time.getAndUpdate(before -> before.plus(step)), line));
    return scan.diagnosis();
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
    var scan = new LogScan(FIVE_IN_TWO_MINUTES, ago(120), NOW);
    var timed = new TimedLines(scan::accept, before);
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
