package dev.shipshape.webhook.identity;

import java.util.concurrent.Semaphore;

/**
 * The part of the heap that all objects together may take while they are hashed and judged. Who
 * finds it taken waits: each takes it once, so that nobody waits for ever.
 */
public final class HeapShare {
  /** Of the heap: what bodies take besides, and what is alive, must fit too. */
  private static final double SHARE = 0.4;

  /** What the worst object makes of each token: an element of a list that is sorted. */
  private static final int BYTES_A_TOKEN = 100;

  /** What is written in canonical form, put into another order, and grows meanwhile. */
  private static final int COPIES = 3;

  private static final int UNIT = 1024;
  private static final int UNITS = (int) (Runtime.getRuntime().maxMemory() * SHARE / UNIT);
  private static final Semaphore FREE = new Semaphore(UNITS, true);

  private HeapShare() {}

  /** Hashes or judges. */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** Does the work once there is room for an object of this size. */
  public static <T, E extends Exception> T using(int bytes, int tokens, Work<T, E> work) throws E {
    var needed = (long) bytes * COPIES + (long) tokens * BYTES_A_TOKEN;
    var units = (int) Math.min(UNITS, needed / UNIT);
    FREE.acquireUninterruptibly(units);
    try {
      return work.run();
    } finally {
      FREE.release(units);
    }
  }
}
