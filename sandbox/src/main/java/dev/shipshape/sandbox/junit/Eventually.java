package dev.shipshape.sandbox.junit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what comes true by itself. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);

  private Eventually() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Returns once the condition holds; fails after a minute. */
  public static void holds(String what, Condition condition) {
    var end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.holds()) {
        if (System.nanoTime() > end) {
          throw new AssertionError("not within %s: %s".formatted(PATIENCE, what));
        }
        LockSupport.parkNanos(LOOK.toNanos());
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("could not wait: " + what, e);
    }
  }
}
