package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import java.time.Duration;

/**
 * Limits of stored KnownInvalidConfigurations.
 *
 * @param keep time since the last failure
 * @param entries maximum for each guard; the newest are kept
 */
public record StoreLimits(Duration keep, int entries) {
  private static final int MOST = 1000;

  public static final StoreLimits DEFAULT = new StoreLimits(Duration.ofDays(30), MOST);

  private static final int REWRITES = 30;
  private static final Duration TRIED = Duration.ofDays(7);

  public static StoreLimits from(Section section) {
    return new StoreLimits(
        section.duration("keep", DEFAULT.keep()), section.integer("entries", MOST, 1, MOST));
  }

  /** A configuration that was written within this time is kept, however old its last failure is. */
  public Duration keepTried() {
    return keep.compareTo(TRIED) < 0 ? keep : TRIED;
  }

  /** Minimum age before a repeated failure is stored again: 1 day for a {@code keep} of 30 days. */
  public Duration rewrite() {
    return keep.dividedBy(REWRITES);
  }
}
