package dev.shipshape.janitor.evidence;

import java.time.Duration;

/** What counts as evidence, and which of it is armed: the rest alerts and restarts nothing. */
public record EvidenceSettings(Silence silence) {

  /**
   * What counts as silence.
   *
   * @param after how long without a line, while a session waits that long without a Job
   */
  public record Silence(boolean armed, Duration after) {}

  /** Whether this kind may have the operator restarted. */
  public boolean isArmed(Evidence.Kind kind) {
    return switch (kind) {
      case SILENCE -> silence.armed();
    };
  }
}
