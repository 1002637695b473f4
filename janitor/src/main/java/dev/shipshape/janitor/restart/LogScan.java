package dev.shipshape.janitor.restart;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one log, line by line, for a signature. */
final class LogScan {
  /** One failure prints its cause several times, over many lines, within milliseconds. */
  private static final Duration SAME_FAILURE = Duration.ofMillis(500);

  /** What a line counts as. */
  enum Role {
    NONE,
    /** Begins a failure. */
    FAILURE,
    /** Another line of the failure before it. */
    SAME_FAILURE,
    /** Begins a record of level INFO or below, which only quotes it. */
    QUOTE,
    PROGRESS
  }

  /** Failures without progress between. */
  private record Run(int count, Instant first, Instant last) {}

  private final Signature signature;
  private final Instant begin;
  private final Instant now;

  private @Nullable Run failures;
  private @Nullable Instant lastFailure;
  private @Nullable Instant progress;
  private @Nullable Instant lastLine;

  /** Whether a line was in the frame. */
  private boolean isFramed;

  /**
   * @param since the beginning of the window; lines before it do not count
   * @param now failures after it do not count: the window ends here
   */
  LogScan(Signature signature, Instant since, Instant now) {
    this.signature = signature;
    this.begin = since;
    this.now = now;
  }

  /** Takes the next line; what it counts as, by the line in it that means most. */
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
    if (signature.isProgress(line.text())) {
      progress(time);
      return Role.PROGRESS;
    }
    if (!signature.isFailure(line.text())) {
      return Role.NONE;
    }
    if (line.isQuote()) {
      return Role.QUOTE;
    }
    if (lastFailure != null && time.isBefore(lastFailure.plus(SAME_FAILURE))) {
      return Role.SAME_FAILURE;
    }
    lastFailure = time;
    if (!time.isBefore(begin) && !time.isAfter(now)) {
      var run = failures;
      failures = run == null ? new Run(1, time, time) : new Run(run.count() + 1, run.first(), time);
    }
    return Role.FAILURE;
  }

  Diagnosis diagnosis() {
    var run = failures;
    if (run == null) {
      return progress == null ? Diagnosis.healthy() : Diagnosis.recovered(progress);
    }
    if (!isFramed) {
      return Diagnosis.unreadable(
          "unknown log format: %d failures, but no line has a known frame".formatted(run.count()));
    }
    var resolved = run.last().plus(signature.resolveAfter());
    if (resolved.isBefore(now)) {
      return Diagnosis.recovered(resolved);
    }
    return run.count() >= signature.repetitions()
        ? Diagnosis.stuck(run.count(), run.first(), run.last())
        : Diagnosis.failing(run.count());
  }

  /** The time of the last line up to now, of whatever kind. */
  Optional<Instant> lastLine() {
    return Optional.ofNullable(lastLine);
  }

  /** After now, too, where its node's clock is ahead: what recovered must not look stuck. */
  private void progress(Instant time) {
    lastFailure = null;
    if (!time.isBefore(begin) && failures != null) {
      failures = null;
      progress = time;
    }
  }
}
