package dev.shipshape.webhook;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all bodies together may take, from their first byte to their answer. */
final class BodyRoom {
  /** A body becomes a tree of several times its size. */
  private static final int SHARE_OF_HEAP = 6;

  private final AtomicLong left;

  /**
   * @param bytes for all bodies together
   */
  BodyRoom(long bytes) {
    this.left = new AtomicLong(bytes);
  }

  /** A share of the heap, and in any case room for two of the largest bodies. */
  static BodyRoom ofHeap() {
    return new BodyRoom(
        Math.max(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, 2L * RequestBody.LIMIT));
  }

  /** Takes room, if there is so much. */
  boolean take(int bytes) {
    if (left.addAndGet(-bytes) >= 0) {
      return true;
    }
    left.addAndGet(bytes);
    return false;
  }

  void giveBack(int bytes) {
    left.addAndGet(bytes);
  }
}
