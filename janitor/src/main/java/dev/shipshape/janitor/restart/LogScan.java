package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one log, line by line, for the operator's repeated watch failure: its Python client asks to
 * watch from {@code resourceVersion=None} and is answered 500.
 *
 * <p>Each failure prints the same answer twice, once in the message and once at the end of the
 * traceback, over many lines. It is counted once: by the record that both are in, or, where lines
 * of another thread come between, by the answer's headers, which both repeat.
 */
final class LogScan {
  /** The quotes are escaped once, twice or not at all, by how the answer was printed. */
  private static final Pattern SIGNATURE =
      Pattern.compile(
          "resourceVersion: Invalid value: \\\\{0,8}\"None\\\\{0,8}\":"
              + " strconv\\.ParseUint.{0,500}?\"code\\\\{0,8}\":500\\b");

  /**
   * Only the watch of Jobs asks from None, and only its own events tell that it works: that of
   * sessions, a thread beside it, goes on, and what the janitor prunes is an event to it. {@code
   * ADDED} tells nothing: every new watch replays all objects so.
   */
  private static final Pattern EVENT =
      Pattern.compile("(?:\\[?[\\w.]{1,100}\\]?[ :|-]{1,4})?EVENT: ((?:MODIFIED|DELETED) Job=)?");

  /** Within it, a prefix may stand before the headers. */
  private static final int LONGEST_PREFIX = 200;

  private static final String HEADERS = "HTTP response headers: ";
  private static final String TRACEBACK = "ApiException: (500)";
  private static final String MESSAGE = "encountered an exception: (500)";

  /** Failures whose second half may still come; more than a few at once would be another fault. */
  private static final int REMEMBERED = 64;

  /** Which of a failure's two answers comes next. */
  private enum Half {
    NONE,
    MESSAGE,
    TRACEBACK
  }

  /** Failures without progress between. */
  private record Run(int count, Instant first, Instant last) {}

  private final String source;
  private final FailureThreshold threshold;
  private final Instant begin;
  private final Instant now;

  private final Map<String, Integer> firstHalves = new LinkedHashMap<>();
  private @Nullable Run failures;
  private @Nullable Instant progress;
  private @Nullable Instant lastLine;
  private int record;
  private Half half = Half.NONE;

  /** Whether the record that began last only quotes what follows. */
  private boolean isQuote;

  /** Whether a record was in a known form, so that progress would be in one, too. */
  private boolean isKnownFormat;

  private String headers = "";

  /**
   * @param source what to call the log
   * @param since the beginning of the window; lines before it do not count
   * @param now failures after it do not count: the window ends here
   */
  LogScan(String source, FailureThreshold threshold, Instant since, Instant now) {
    this.source = source;
    this.threshold = threshold;
    this.begin = since;
    this.now = now;
  }

  void accept(Instant time, String line) {
    if (!time.isAfter(now) && (lastLine == null || time.isAfter(lastLine))) {
      lastLine = time;
    }
    LogLine.of(line).forEach(part -> accept(time, part));
  }

  private void accept(Instant time, LogLine line) {
    var text = line.text();
    if (line.isRecord()) {
      record++;
      var event = EVENT.matcher(text);
      var isEvent = event.lookingAt();
      if (isEvent && event.group(1) != null) {
        progress(time);
      }
      isQuote = !isEvent && !line.isProblem();
      isKnownFormat |= isEvent || (line.isProblem() && text.contains(MESSAGE));
      if (!line.isProblem()) {
        return;
      }
    }
    var headersAt = text.indexOf(HEADERS);
    if (text.contains(MESSAGE)) {
      half = Half.MESSAGE;
      headers = "";
    } else if (text.contains(TRACEBACK)) {
      half = Half.TRACEBACK;
      headers = "";
    } else if (headersAt >= 0 && headersAt <= LONGEST_PREFIX) {
      headers = text.substring(headersAt + HEADERS.length());
    }
    if (SIGNATURE.matcher(text).find() && (half != Half.NONE || !isQuote)) {
      signature(time);
    }
  }

  Diagnosis diagnosis() {
    var run = failures;
    if (run == null) {
      return progress == null ? new Diagnosis.Healthy() : new Diagnosis.Recovered(progress);
    }
    if (!isKnownFormat) {
      return new Diagnosis.Unreadable(
          "unknown log format: %d lines look like watch failures, but no record is in a form by which progress would be seen"
              .formatted(run.count()));
    }
    return run.count() >= threshold.failures()
        ? new Diagnosis.Stuck(source, run.count(), run.first(), run.last())
        : new Diagnosis.Failing(run.count());
  }

  /** The time of the last line up to now, of whatever kind. */
  Optional<Instant> lastLine() {
    return Optional.ofNullable(lastLine);
  }

  /** After now, too, where its node's clock is ahead: what recovered must not look stuck. */
  private void progress(Instant time) {
    if (!time.isBefore(begin) && failures != null) {
      failures = null;
      progress = time;
    }
  }

  private void signature(Instant time) {
    var secondHalf = half == Half.TRACEBACK && isAnnounced();
    if (!secondHalf && counts(time)) {
      var run = failures;
      failures = run == null ? new Run(1, time, time) : new Run(run.count() + 1, run.first(), time);
    }
    if (half != Half.TRACEBACK) {
      firstHalves.put(headers, record);
      if (firstHalves.size() > REMEMBERED) {
        firstHalves.remove(firstHalves.keySet().iterator().next());
      }
    }
    half = Half.NONE;
    headers = "";
  }

  private boolean isAnnounced() {
    return firstHalves.remove(headers) != null || firstHalves.values().remove(record);
  }

  private boolean counts(Instant time) {
    return !time.isBefore(begin) && !time.isAfter(now);
  }
}
