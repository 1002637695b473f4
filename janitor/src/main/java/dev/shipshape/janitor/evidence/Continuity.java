package dev.shipshape.janitor.evidence;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody has looked all along: another replica may have led meanwhile, or the API server
 * may have told nothing. What was seen before such a gap does not go with what is seen after it.
 */
final class Continuity {
  private final Duration longestGap;
  private @Nullable Instant last;

  /**
   * @param longestGap between two looks that told something
   */
  Continuity(Duration longestGap) {
    this.longestGap = longestGap;
  }

  /** A clock that was set back proves no continuity. */
  boolean isBroken(Instant now) {
    return last == null || now.isBefore(last) || now.isAfter(last.plus(longestGap));
  }

  /** Notes a look that told something. */
  void looked(Instant now) {
    last = now;
  }
}
