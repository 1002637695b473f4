package dev.shipshape.webhook.admission;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The memory for the bodies of all calls, from request head to response. */
public final class BodyBudget {
  /** A tree needs several times the memory of its body. */
  private static final int SHARE_OF_HEAP = 6;

  /** Reserved for about 80 bodies of usual size. */
  private static final int FOR_SMALL = 2 * 1024 * 1024;

  private final AtomicLong left;
  private final long forSmall;

  /**
   * @param bytes for all bodies together
   * @param forSmall the part that is reserved for small bodies
   */
  public BodyBudget(long bytes, long forSmall) {
    this.left = new AtomicLong(bytes);
    this.forSmall = forSmall;
  }

  /** A share of the heap; at least two bodies of maximum size and the reserve for small ones. */
  public static BodyBudget ofHeap() {
    var share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return new BodyBudget(Math.max(share, 2L * AdmissionRoutes.BODY_LIMIT + FOR_SMALL), FOR_SMALL);
  }

  /**
   * Reserves memory for a body.
   *
   * @param length the Content-Length header; null if missing. The API server always sends it
   * @param most the maximum size of a body
   * @return reserved bytes; -1 if not enough are left
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
