package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what comes true by itself. */
final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PACE = Duration.ofMillis(50);

  private Eventually() {}

  static void holds(Callable<Boolean> condition) throws Exception {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("the deadline").isLessThan(end);
      LockSupport.parkNanos(PACE.toNanos());
    }
  }
}
