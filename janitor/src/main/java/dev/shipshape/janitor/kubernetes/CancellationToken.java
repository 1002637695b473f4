package dev.shipshape.janitor.kubernetes;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Stops running work before its next step, because the process ends or another replica leads. */
public final class CancellationToken {
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final BooleanSupplier mayAct;

  public CancellationToken(BooleanSupplier mayAct) {
    this.mayAct = mayAct;
  }

  /** Stops all work and all pauses for ever. */
  public void cancel() {
    cancelled.countDown();
  }

  public boolean isCancelled() {
    return cancelled.getCount() == 0 || !mayAct.getAsBoolean();
  }

  /** Waits for the duration, or until cancelled: then it returns false. */
  public boolean pause(Duration duration) {
    try {
      return !cancelled.await(duration.toNanos(), TimeUnit.NANOSECONDS) && !isCancelled();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
