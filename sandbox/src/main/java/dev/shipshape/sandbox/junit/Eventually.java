package dev.shipshape.sandbox.junit;

import java.time.Duration;

/** Waits for what comes true by itself. */
public final class Eventually {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration INTERVAL = Duration.ofMillis(50);

  private Eventually() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Returns once the condition holds; fails after a minute. */
  public static void holds(String what, Condition condition) {
    var end = System.nanoTime() + TIMEOUT.toNanos();
    try {
      while (!condition.holds()) {
        if (System.nanoTime() > end) {
          throw new AssertionError("not within %s: %s".formatted(TIMEOUT, what));
        }
        Thread.sleep(INTERVAL);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("could not wait: " + what, e);
    }
  }
}
