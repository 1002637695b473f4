package dev.shipshape.webhook.identity;

import java.util.concurrent.Semaphore;

/** Objects that are read and judged one at a time, so that the heap can be small. */
public final class LargeObjects {
  /** Bytes. Trees of smaller ones take a few megabytes. */
  private static final int LARGE = 512 * 1024;

  private static final Semaphore TURN = new Semaphore(1, true);

  private LargeObjects() {}

  /** Reads, hashes or judges. */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** Does the work when it is an object's turn, which small ones need not wait for. Do not nest. */
  public static <T, E extends Exception> T inTurn(int bytes, Work<T, E> work) throws E {
    if (bytes < LARGE) {
      return work.run();
    }
    TURN.acquireUninterruptibly();
    try {
      return work.run();
    } finally {
      TURN.release();
    }
  }
}
