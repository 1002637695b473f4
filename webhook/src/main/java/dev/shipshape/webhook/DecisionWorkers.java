package dev.shipshape.webhook;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads for the bodies that are too large to be decided about on an event loop, with a queue that
 * ends: what cannot be taken in is said at once.
 */
final class DecisionWorkers implements AutoCloseable {
  /** About what a few milliseconds of an event loop can bear. */
  static final int LARGE_BODY = 64 * 1024;

  private static final int QUEUE = 64;
  private static final int CLOSE_SECONDS = 5;

  /** One part in so many of the mean is the newest. */
  private static final int MEMORY = 8;

  private final ThreadPoolExecutor threads;
  private final AtomicLong meanNanos = new AtomicLong();

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

  /**
   * Whether the work was taken in: not where the queue is full, nor where by what the last ones
   * took its turn would come too late.
   */
  boolean take(Runnable work, Deadline deadline) {
    if (deadline.leavesNoTime(System.nanoTime() + expectedWait())) {
      return false;
    }
    try {
      threads.execute(() -> run(work));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private long expectedWait() {
    return threads.getQueue().size() * meanNanos.get() / threads.getMaximumPoolSize();
  }

  private void run(Runnable work) {
    var began = System.nanoTime();
    work.run();
    var took = System.nanoTime() - began;
    meanNanos.updateAndGet(mean -> mean + (took - mean) / MEMORY);
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
