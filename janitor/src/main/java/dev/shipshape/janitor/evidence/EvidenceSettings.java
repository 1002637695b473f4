package dev.shipshape.janitor.evidence;

import java.time.Duration;

/** What counts as evidence, and which of it is armed: the rest alerts and restarts nothing. */
public record EvidenceSettings(Silence silence, CrashLoop crashLoop, Canary canary) {

  /**
   * What counts as silence.
   *
   * @param after how long without a line, while a session waits that long without a Job
   */
  public record Silence(boolean armed, Duration after) {}

  /**
   * What counts as a crash loop.
   *
   * @param restarts so many restarts of the container ...
   * @param within ... in this time; CrashLoopBackOff is enough by itself
   */
  public record CrashLoop(boolean armed, int restarts, Duration within) {}

  /**
   * What counts as a failing canary.
   *
   * @param repetitions so many looks in a row with a 500
   */
  public record Canary(boolean armed, int repetitions) {}

  /** Whether this kind may have the operator restarted. */
  public boolean isArmed(Evidence.Kind kind) {
    return switch (kind) {
      case SILENCE -> silence.armed();
      case CRASH_LOOP -> crashLoop.armed();
      case CANARY -> canary.armed();
    };
  }
}
