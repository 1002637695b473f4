package dev.shipshape.webhook.admission;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all bodies together may take, from their first byte to their answer. */
public final class BodyBudget {
  /** A body becomes a tree of several times its size. */
  private static final int SHARE_OF_HEAP = 6;

  /** About 80 of the usual bodies, for which large ones leave room. */
  private static final int FOR_SMALL = 2 * 1024 * 1024;

  private final AtomicLong left;
  private final long forSmall;

  /**
   * @param bytes for all bodies together
   * @param forSmall of these, what only small bodies may take
   */
  public BodyBudget(long bytes, long forSmall) {
    this.left = new AtomicLong(bytes);
    this.forSmall = forSmall;
  }

  /** A share of the heap, and in any case room for two of the largest bodies and the small ones. */
  public static BodyBudget ofHeap() {
    var share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return new BodyBudget(Math.max(share, 2L * RequestBody.LIMIT + FOR_SMALL), FOR_SMALL);
  }

  /**
   * Takes so many bytes more for a body, if they are left.
   *
   * @param size what the body has then
   */
  boolean take(int bytes, long size) {
    var spared = size <= AdmissionEndpoint.LARGE ? 0 : forSmall;
    var after = left.addAndGet(-bytes);
    if (after < spared) {
      left.addAndGet(bytes);
      return false;
    }
    return true;
  }

  void giveBack(long bytes) {
    left.addAndGet(bytes);
  }
}
