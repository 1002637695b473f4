package dev.shipshape.webhook;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for the bodies that are too large to be decided about on an event loop, with a queue that
 * ends: what cannot be taken in is said at once.
 */
final class DecisionWorkers implements AutoCloseable {
  /** About what a few milliseconds of an event loop can bear. */
  static final int LARGE_BODY = 64 * 1024;

  private static final int QUEUE = 64;
  private static final int CLOSE_SECONDS = 5;

  private final ThreadPoolExecutor threads;

  DecisionWorkers(int size) {
    threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            Thread.ofPlatform().name("decision-", 0).daemon(true).factory());
  }

  /** Whether the work was taken in. */
  boolean take(Runnable work) {
    try {
      threads.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
