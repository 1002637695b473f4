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
  /** The operator's two log formats; the later one adds process and thread. */
  private static final Pattern RECORD =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} - (?:\\d+ - \\d+ - )?[A-Z]+ *- \\S+ -"
              + " (.*)");

  /** The quotes are escaped once, twice or not at all, by how the answer was printed. */
  private static final Pattern SIGNATURE =
      Pattern.compile(
          "resourceVersion: Invalid value: \\\\*\"None\\\\*\":"
              + " strconv\\.ParseUint.*\\\\*\"code\\\\*\":500\\b");

  /**
   * Only the watch of Jobs asks from None, and only its own events tell that it works: that of
   * sessions, a thread beside it, goes on, and what the janitor prunes is an event to it. {@code
   * ADDED} tells nothing: every new watch replays all objects so.
   */
  private static final Pattern PROGRESS = Pattern.compile("EVENT: (?:MODIFIED|DELETED) Job=");

  private static final String HEADERS = "HTTP response headers: ";
  private static final String TRACEBACK = "ApiException: (500)";
  private static final String MESSAGE = "encountered an exception: (500)";

  /** Failures whose second half may still come; more than a few at once would be another fault. */
  private static final int REMEMBERED = 64;

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
  private boolean inTraceback;
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
    var start = RECORD.matcher(line);
    if (start.matches()) {
      record++;
      if (PROGRESS.matcher(start.group(1)).lookingAt()) {
        progress(time);
      }
    }
    if (line.contains(MESSAGE)) {
      inTraceback = false;
      headers = "";
    } else if (line.contains(TRACEBACK)) {
      inTraceback = true;
      headers = "";
    } else if (line.startsWith(HEADERS)) {
      headers = line.substring(HEADERS.length());
    } else if (SIGNATURE.matcher(line).find()) {
      signature(time);
    }
  }

  Diagnosis diagnosis() {
    var run = failures;
    if (run == null) {
      return progress == null ? new Diagnosis.Healthy() : new Diagnosis.Recovered(progress);
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
    var secondHalf = inTraceback && isAnnounced();
    if (!secondHalf && counts(time)) {
      var run = failures;
      failures = run == null ? new Run(1, time, time) : new Run(run.count() + 1, run.first(), time);
    }
    if (!inTraceback) {
      firstHalves.put(headers, record);
      if (firstHalves.size() > REMEMBERED) {
        firstHalves.remove(firstHalves.keySet().iterator().next());
      }
    }
    inTraceback = false;
    headers = "";
  }

  private boolean isAnnounced() {
    return firstHalves.remove(headers) != null || firstHalves.values().remove(record);
  }

  private boolean counts(Instant time) {
    return !time.isBefore(begin) && !time.isAfter(now);
  }
}
