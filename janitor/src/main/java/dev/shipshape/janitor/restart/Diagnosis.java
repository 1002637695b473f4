package dev.shipshape.janitor.restart;

import java.time.Instant;

/** What an operator's log tells. */
public sealed interface Diagnosis {

  /** No failure of the watch within the window. */
  record Healthy() implements Diagnosis {}

  /** Failures, but too few to tell. */
  record Failing(int failures) implements Diagnosis {}

  /** Failures, and then a line of progress: it healed itself. */
  record Recovered(Instant progress) implements Diagnosis {}

  /**
   * Failures again and again, and no progress since.
   *
   * @param source the log that shows it
   */
  record Stuck(String source, int failures, Instant first, Instant last) implements Diagnosis {}

  /** The log could not be read, which is no evidence of anything. */
  record Unreadable(String reason) implements Diagnosis {}
}
