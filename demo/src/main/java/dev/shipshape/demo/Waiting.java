package dev.shipshape.demo;

import dev.shipshape.plugin.release.Console;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, and shows that it does. */
final class Waiting {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PACE = Duration.ofMillis(50);
  private static final Duration SHOWN_AFTER = Duration.ofSeconds(1);

  private Waiting() {}

  /**
   * Waits up to 30 s.
   *
   * @param what is awaited, for the screen
   * @return whether it came true in time
   */
  static boolean until(Console console, String what, BooleanSupplier condition) {
    var begin = System.nanoTime();
    var shown = false;
    while (!condition.getAsBoolean()) {
      var waited = Duration.ofNanos(System.nanoTime() - begin);
      if (waited.compareTo(PATIENCE) > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (!shown && waited.compareTo(SHOWN_AFTER) > 0) {
        console.progress("waiting until " + what);
        shown = true;
      }
      LockSupport.parkNanos(PACE.toNanos());
    }
    return true;
  }
}
