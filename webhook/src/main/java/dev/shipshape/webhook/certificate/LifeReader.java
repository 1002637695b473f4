package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.Life;
import dev.shipshape.service.Section;
import java.time.Duration;

/** Reads how long a certificate lives. */
final class LifeReader {
  /**
   * Renewed after 8 months: often enough that somebody has seen it work, with 4 months to spare,
   * which is more than a leaf lives.
   */
  static final Duration AUTHORITY = Duration.ofDays(365);

  /** Renewed after 60 days, with 30 to spare. */
  static final Duration LEAF = Duration.ofDays(90);

  /** What must be left after the renewal: several times what it takes to be trusted and served. */
  private static final Duration LEAST_LEFT = Duration.ofMinutes(3);

  private LifeReader() {}

  static Life read(Section section, Duration fallback) {
    var whole = section.duration("life", fallback);
    var renewal = section.duration("renewal", whole.multipliedBy(2).dividedBy(3));
    if (whole.minus(renewal).compareTo(LEAST_LEFT) < 0) {
      section.problem("renewal", "must leave 3m of the life at least");
      return Life.of(fallback);
    }
    return new Life(whole, renewal);
  }
}
