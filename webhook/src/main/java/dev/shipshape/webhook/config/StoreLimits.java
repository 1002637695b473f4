package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import java.time.Duration;

/**
 * How much is kept.
 *
 * @param keep time since the last failure
 * @param entries for each guard; the newest stay
 */
public record StoreLimits(Duration keep, int entries) {
  private static final int MOST = 1000;

  /** 30 days and the most that is allowed. */
  public static final StoreLimits DEFAULT = new StoreLimits(Duration.ofDays(30), MOST);

  private static final int REWRITES = 30;
  private static final Duration TRIED = Duration.ofDays(7);

  /** Reads them from settings. */
  public static StoreLimits from(Section section) {
    return new StoreLimits(
        section.duration("keep", DEFAULT.keep()), section.integer("entries", MOST, 1, MOST));
  }

  /** What was tried this lately is kept, however long ago it failed. */
  public Duration keepTried() {
    return keep.compareTo(TRIED) < 0 ? keep : TRIED;
  }

  /** A failure that is reported again is written again after this long: a day of a month. */
  public Duration rewrite() {
    return keep.dividedBy(REWRITES);
  }
}
