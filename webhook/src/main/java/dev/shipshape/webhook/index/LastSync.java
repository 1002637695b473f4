package dev.shipshape.webhook.index;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long ago an index was last known to follow the API server. By a clock that only runs forward,
 * so that setting the machine's clock makes nothing stale.
 */
final class LastSync {
  private final LongSupplier nanoTime;
  private volatile long followedAt;

  LastSync(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.followedAt = nanoTime.getAsLong();
  }

  /** The watch stands. */
  void follows() {
    followedAt = nanoTime.getAsLong();
  }

  Duration staleness() {
    return Duration.ofNanos(nanoTime.getAsLong() - followedAt);
  }
}
