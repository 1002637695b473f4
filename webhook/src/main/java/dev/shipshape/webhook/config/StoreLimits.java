package dev.shipshape.webhook.config;

import dev.shipshape.service.Section;
import java.time.Duration;

/**
 * Limits of stored KnownInvalidConfigurations, without those that a person cleared.
 *
 * @param keep time since the last failure, or since the success that cleared it
 * @param entries maximum for each guard; those that failed or were refused last are kept
 */
public record StoreLimits(Duration keep, int entries) {
  private static final int MAX_ENTRIES = 1000;

  public static final StoreLimits DEFAULT = new StoreLimits(Duration.ofDays(30), MAX_ENTRIES);

  private static final int REWRITES_PER_KEEP = 30;
  private static final Duration KEEP_ATTEMPTED = Duration.ofDays(7);

  public static StoreLimits from(Section section) {
    return new StoreLimits(
        section.positive("keep", DEFAULT.keep()),
        section.integer("entries", MAX_ENTRIES, 1, MAX_ENTRIES));
  }

  /** A configuration that was written within this time is kept, however old its last failure is. */
  public Duration keepAttempted() {
    return keep.compareTo(KEEP_ATTEMPTED) < 0 ? keep : KEEP_ATTEMPTED;
  }

  /** Minimum age before a repeated failure is stored again: 1 day for a {@code keep} of 30 days. */
  public Duration rewriteInterval() {
    return keep.dividedBy(REWRITES_PER_KEEP);
  }
}
