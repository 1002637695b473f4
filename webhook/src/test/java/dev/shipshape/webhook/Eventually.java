package dev.shipshape.webhook;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Tries something again until it holds or time is up, and then says why it does not. */
public final class Eventually {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final Duration INTERVAL = Duration.ofMillis(20);

  private Eventually() {}

  /** What is tried; fails by an AssertionError. */
  @FunctionalInterface
  public interface Attempt {
    void run() throws Exception;
  }

  /** Tries something that gives nothing. */
  public static void eventually(Attempt attempt) throws Exception {
    eventually(TIMEOUT, attempt);
  }

  static void eventually(Duration timeout, Attempt attempt) throws Exception {
    eventually(
        timeout,
        () -> {
          attempt.run();
          return "done";
        });
  }

  /** Tries something that gives a value. */
  public static <T> T eventually(Callable<T> attempt) throws Exception {
    return eventually(TIMEOUT, attempt);
  }

  private static <T> T eventually(Duration timeout, Callable<T> attempt) throws Exception {
    var deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        return attempt.call();
      } catch (AssertionError e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        Thread.sleep(INTERVAL);
      }
    }
  }
}
