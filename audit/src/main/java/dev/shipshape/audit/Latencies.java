package dev.shipshape.audit;

/**
 * Latencies as counts in buckets, each an eighth of a power of two wide: a quantile is at most an
 * eighth too high, in memory that does not grow.
 */
final class Latencies {
  private static final int STEPS = 8;
  private static final int BITS = 3;

  private final int[] counts = new int[(Long.SIZE - BITS) * STEPS];
  private long total;

  /** Adds one, in microseconds. */
  void add(long micros) {
    counts[bucket(Math.max(0, micros))]++;
    total++;
  }

  /** The upper bound of a share of all, in microseconds; 0 if there is none. */
  long quantile(double share) {
    var wanted = Math.ceil(share * total);
    var seen = 0L;
    for (var i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted && seen > 0) {
        return upperBound(i);
      }
    }
    return 0;
  }

  private static int bucket(long micros) {
    if (micros < STEPS) {
      return (int) micros;
    }
    var shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - BITS;
    return (shift + 1) * STEPS + (int) (micros >>> shift) - STEPS;
  }

  private static long upperBound(int bucket) {
    if (bucket < STEPS) {
      return bucket;
    }
    var shift = bucket / STEPS - 1;
    return ((long) (bucket % STEPS + STEPS + 1) << shift) - 1;
  }
}
