package dev.shipshape.webhook.admission;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The memory that all bodies together may take, from their head to their answer. */
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
    return new BodyBudget(Math.max(share, 2L * AdmissionRoutes.BODY_LIMIT + FOR_SMALL), FOR_SMALL);
  }

  /**
   * Reserves room for a body.
   *
   * @param length as the head says; null where it does not, as the API server always does
   * @param most that a body may have
   * @return how many bytes are reserved; -1 where they are not left
   */
  long reserve(@Nullable String length, int most) {
    var bytes =
        length == null || !length.matches("\\d{1,7}")
            ? most
            : Math.min(most, Integer.parseInt(length));
    var spared = bytes <= AdmissionRoutes.SMALL ? 0 : forSmall;
    if (left.addAndGet(-bytes) >= spared) {
      return bytes;
    }
    left.addAndGet(bytes);
    return -1;
  }

  void giveBack(long bytes) {
    left.addAndGet(Math.max(0, bytes));
  }
}
