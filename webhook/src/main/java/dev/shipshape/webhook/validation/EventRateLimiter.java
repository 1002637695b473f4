package dev.shipshape.webhook.validation;

import java.time.Duration;
import java.util.LinkedHashMap;

/**
 * How often Events are written: once for each object in a while, and not too many of all together.
 * An operator that tries again every second would fill etcd otherwise. Not for several threads.
 */
final class EventRateLimiter {
  /** Of more objects than these the one told first may be told again too early. */
  private static final int OBJECTS = 2_000;

  private static final int MOST_AT_ONCE = 25;
  private static final long REFILL_NANOS = Duration.ofSeconds(5).toNanos();

  private final long everyNanos;
  private final LinkedHashMap<String, Long> told = new LinkedHashMap<>();
  private long available = MOST_AT_ONCE;
  private long refilled;

  /**
   * @param every minimum interval between Events for the same object
   * @param now by {@link System#nanoTime}, as in {@link #allows}
   */
  EventRateLimiter(Duration every, long now) {
    this.everyNanos = every.toNanos();
    this.refilled = now;
  }

  /** Whether this object may be told now; if so, it counts as told. */
  boolean allows(String object, long now) {
    refill(now);
    var last = told.get(object);
    if (available == 0 || (last != null && now - last < everyNanos)) {
      return false;
    }
    available--;
    told.remove(object);
    told.put(object, now);
    if (told.size() > OBJECTS) {
      told.pollFirstEntry();
    }
    return true;
  }

  private void refill(long now) {
    var periods = (now - refilled) / REFILL_NANOS;
    if (periods > 0) {
      available = Math.min(MOST_AT_ONCE, available + periods);
      refilled += periods * REFILL_NANOS;
    }
  }
}
