package dev.shipshape.janitor.restart;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Scans one log, line by line, for a signature. */
final class LogScan {
  /** One failure may log many lines, with its cause several times, within milliseconds. */
  private static final Duration SAME_FAILURE = Duration.ofMillis(500);

  /** The role of a line for the diagnosis. */
  enum Role {
    NONE,
    FAILURE,
    SAME_FAILURE,
    /** A record of level INFO or below, which only quotes a failure. */
    QUOTE,
    EXCEPTION,
    PROGRESS
  }

  /** Failures without progress, or a pause of {@code resolveAfter}, in between. */
  private record Failures(int count, Instant first, Instant last) {}

  private final Signature signature;
  private final Instant begin;
  private final Instant now;

  private @Nullable Failures failures;

  /** Without the last one. */
  private @Nullable Failures earlier;

  /** Lines of the last one after its first, some of which may be another thread's failure. */
  private int merged;

  private @Nullable Instant lastFailure;
  private @Nullable Instant progress;
  private @Nullable Instant lastLine;

  private boolean isFramed;

  /** Lines before {@code since} and failures after {@code now} do not count. */
  LogScan(Signature signature, Instant since, Instant now) {
    this.signature = signature;
    this.begin = since;
    this.now = now;
  }

  /** Scans the next line. Returns the role of the first failure in it, else of its last match. */
  Role accept(Instant time, String line) {
    if (!time.isAfter(now) && (lastLine == null || time.isAfter(lastLine))) {
      lastLine = time;
    }
    return LogLine.of(line, signature)
        .map(part -> accept(time, part))
        .reduce(Role.NONE, (one, other) -> one == Role.FAILURE || other == Role.NONE ? one : other);
  }

  private Role accept(Instant time, LogLine line) {
    isFramed |= line.isRecord();
    if (!line.isProblem() && signature.isProgress(line.text())) {
      recordProgress(time);
      return Role.PROGRESS;
    }
    // An earlier line is another failure: the node's clock was set back, or it is another pod's.
    var isSame =
        lastFailure != null
            && Duration.between(lastFailure, time).abs().compareTo(SAME_FAILURE) < 0;
    var isFailure = signature.isFailure(line.text());
    if (!isFailure && !isSame) {
      return Role.NONE;
    }
    if (signature.isException(line.text())) {
      // Some log a failure's cause lines after it; a record of its own is about something else.
      if (isSame && !line.isRecord() && --merged < 0) {
        failures = earlier;
        lastFailure = null;
      }
      return Role.EXCEPTION;
    }
    if (!isFailure) {
      return Role.NONE;
    }
    if (line.isQuote()) {
      return Role.QUOTE;
    }
    if (isSame) {
      merged++;
      return Role.SAME_FAILURE;
    }
    lastFailure = time;
    merged = 0;
    earlier = failures;
    if (!time.isBefore(begin) && !time.isAfter(now)) {
      var before = failures;
      failures =
          before == null || before.last().plus(signature.resolveAfter()).isBefore(time)
              ? new Failures(1, time, time)
              : new Failures(before.count() + 1, before.first(), time);
    }
    return Role.FAILURE;
  }

  Diagnosis diagnosis() {
    var found = failures;
    if (found == null) {
      return progress == null ? Diagnosis.healthy() : Diagnosis.recovered(progress);
    }
    if (!isFramed) {
      return Diagnosis.unreadable(
          "unknown log format: %d failures, but no line has a known frame"
              .formatted(found.count()));
    }
    var resolved = found.last().plus(signature.resolveAfter());
    if (resolved.isBefore(now)) {
      return Diagnosis.recovered(resolved);
    }
    var isLasting = !found.last().isBefore(found.first().plus(signature.failingFor()));
    return isLasting && found.count() >= signature.failureThreshold()
        ? Diagnosis.stuck(found.count(), found.first(), found.last())
        : Diagnosis.failing(found.count());
  }

  /** The time of the last line of any kind, up to {@code now}. */
  Optional<Instant> lastLine() {
    return Optional.ofNullable(lastLine);
  }

  /** Also counts after {@code now}: if the node's clock is ahead, a recovery must still count. */
  private void recordProgress(Instant time) {
    lastFailure = null;
    if (!time.isBefore(begin) && failures != null) {
      failures = null;
      progress = time;
    }
  }
}
