package dev.shipshape.janitor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Tells when the wall clock is set back, by a clock that never is. One that is set forward is no
 * matter: what became due meanwhile is late, and begins.
 */
final class ClockWatch {
  /** Less than this holds nothing up for long, and a busy machine reads its clocks apart. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  private final InstantSource wall;
  private final LongSupplier nanos;
  private Instant lastWall;
  private long lastNanos;

  /**
   * @param nanos never set, as {@link System#nanoTime}
   */
  ClockWatch(InstantSource wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    this.lastWall = wall.instant();
    this.lastNanos = nanos.getAsLong();
  }

  /** By how much the wall clock was set back since the last look; empty where it was not. */
  Optional<Duration> setBack() {
    var wallNow = wall.instant();
    var nanosNow = nanos.getAsLong();
    var back = Duration.ofNanos(nanosNow - lastNanos).minus(Duration.between(lastWall, wallNow));
    lastWall = wallNow;
    lastNanos = nanosNow;
    return back.compareTo(TOLERANCE) > 0 ? Optional.of(back) : Optional.empty();
  }
}
