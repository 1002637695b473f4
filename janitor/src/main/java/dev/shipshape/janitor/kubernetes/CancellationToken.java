package dev.shipshape.janitor.kubernetes;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tells work under way to end before its next step: because the program ends, or because another
 * replica leads now.
 */
public final class CancellationToken {
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final BooleanSupplier mayAct;

  /**
   * @param mayAct whether this replica leads; asked before each step
   */
  public CancellationToken(BooleanSupplier mayAct) {
    this.mayAct = mayAct;
  }

  /** Ends all work and all pauses, for good. */
  public void cancel() {
    cancelled.countDown();
  }

  /** Whether the next step must not be taken. */
  public boolean isCancelled() {
    return cancelled.getCount() == 0 || !mayAct.getAsBoolean();
  }

  /**
   * Waits, unless it is time to stop.
   *
   * @return whether to go on
   */
  public boolean pause(Duration duration) {
    try {
      return !cancelled.await(duration.toNanos(), TimeUnit.NANOSECONDS) && !isCancelled();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
