package dev.shipshape.webhook.memory;

import dev.shipshape.service.Section;
import java.time.Duration;

/**
 * How much is remembered.
 *
 * @param most entries
 * @param keep for how long
 */
public record MemoryLimits(int most, Duration keep) {
  private static final int MOST = 1000;
  private static final Duration KEEP = Duration.ofDays(30);
  private static final int REWRITES = 30;

  /** Reads them, or takes the defaults, which are the most that is allowed. */
  public static MemoryLimits from(Section section) {
    return new MemoryLimits(
        section.integer("entries", MOST, 1, MOST), section.duration("keep", KEEP));
  }

  /**
   * What fails again is written down again after this long: a day, where it is kept for a month.
   */
  Duration rewrite() {
    return keep.dividedBy(REWRITES);
  }
}
