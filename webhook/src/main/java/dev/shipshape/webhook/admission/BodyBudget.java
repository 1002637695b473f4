package dev.shipshape.webhook.admission;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The memory for the bodies of all calls, from request head to response. */
public final class BodyBudget {
  /** A tree needs several times the memory of its body. */
  private static final int SHARE_OF_HEAP = 6;

  /** Reserved for about 80 bodies of usual size. */
  private static final int SMALL_BODY_RESERVE = 2 * 1024 * 1024;

  private final AtomicLong available;
  private final long smallBodyReserve;

  /** Of the bytes for all bodies together, the reserve is for small ones. */
  public BodyBudget(long bytes, long smallBodyReserve) {
    this.available = new AtomicLong(bytes);
    this.smallBodyReserve = smallBodyReserve;
  }

  /** A share of the heap; at least two bodies of maximum size and the reserve for small ones. */
  public static BodyBudget ofHeap() {
    var share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    return new BodyBudget(
        Math.max(share, 2L * AdmissionRoutes.BODY_LIMIT + SMALL_BODY_RESERVE), SMALL_BODY_RESERVE);
  }

  /**
   * Reserves memory for a body.
   *
   * @param length the Content-Length header; null if missing. The API server always sends it
   * @return reserved bytes; -1 if not enough are left
   */
  long reserve(@Nullable String length) {
    var bytes =
        length == null || !length.matches("\\d{1,7}")
            ? AdmissionRoutes.BODY_LIMIT
            : Math.min(AdmissionRoutes.BODY_LIMIT, Integer.parseInt(length));
    var reserve = bytes <= AdmissionRoutes.MAX_SMALL_BODY ? 0 : smallBodyReserve;
    if (available.addAndGet(-bytes) >= reserve) {
      return bytes;
    }
    available.addAndGet(bytes);
    return -1;
  }

  void release(long bytes) {
    available.addAndGet(Math.max(0, bytes));
  }
}
