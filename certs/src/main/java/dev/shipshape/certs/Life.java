package dev.shipshape.certs;

import java.time.Duration;

/**
 * How long a certificate is valid and when it is replaced.
 *
 * @param whole from its making to its end
 * @param renewal its age when it is replaced; less than {@code whole}
 */
public record Life(Duration whole, Duration renewal) {
  public Life {
    if (renewal.isNegative() || renewal.compareTo(whole) >= 0) {
      throw new IllegalArgumentException("the renewal must come before the end");
    }
  }

  /** Replaced at two thirds, so that a third is left to see and mend what keeps it from renewal. */
  public static Life of(Duration whole) {
    return new Life(whole, whole.multipliedBy(2).dividedBy(3));
  }

  /**
   * The age at which a certificate is replaced that may have been made when these lives were
   * others: at the same share of what it was given, so that it never gets by to its end.
   *
   * @param given from its making to its end
   */
  Duration renewalOf(Duration given) {
    if (given.compareTo(whole) >= 0) {
      return renewal;
    }
    var share = (double) renewal.toMillis() / whole.toMillis();
    return Duration.ofMillis((long) (given.toMillis() * share));
  }
}
