package dev.shipshape.webhook.identity;

import java.util.concurrent.Semaphore;

/** Processes large objects one at a time, to limit the heap. */
public final class LargeObjects {
  /** Bytes. The tree of a smaller object takes a few megabytes. */
  private static final int LARGE = 512 * 1024;

  private static final Semaphore ONE_AT_A_TIME = new Semaphore(1, true);

  private LargeObjects() {}

  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** Runs the work; large objects wait for each other. Do not nest calls: deadlock. */
  public static <T, E extends Exception> T oneAtATime(int bytes, Work<T, E> work) throws E {
    if (bytes < LARGE) {
      return work.run();
    }
    ONE_AT_A_TIME.acquireUninterruptibly();
    try {
      return work.run();
    } finally {
      ONE_AT_A_TIME.release();
    }
  }
}
