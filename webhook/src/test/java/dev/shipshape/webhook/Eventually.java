package dev.shipshape.webhook;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Tries something again until it holds or time is up, and then says why it does not. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private Eventually() {}

  /** What is tried; fails by an AssertionError. */
  @FunctionalInterface
  public interface Attempt {
    void run() throws Exception;
  }

  /** Tries something that gives nothing. */
  public static void eventually(Attempt attempt) throws Exception {
    eventually(PATIENCE, attempt);
  }

  static void eventually(Duration patience, Attempt attempt) throws Exception {
    eventually(
        patience,
        () -> {
          attempt.run();
          return "done";
        });
  }

  /** Tries something that gives a value. */
  public static <T> T eventually(Callable<T> attempt) throws Exception {
    return eventually(PATIENCE, attempt);
  }

  private static <T> T eventually(Duration patience, Callable<T> attempt) throws Exception {
    var deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return attempt.call();
      } catch (AssertionError e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
