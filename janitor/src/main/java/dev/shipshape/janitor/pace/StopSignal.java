package dev.shipshape.janitor.pace;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tells work under way to end before its next step: because the program ends, or because another
 * replica leads now.
 */
public final class StopSignal {
  private final CountDownLatch stopped;
  private final Set<Runnable> atStop = ConcurrentHashMap.newKeySet();
  private final BooleanSupplier mayAct;

  /**
   * @param mayAct whether this replica leads; asked before each step
   */
  public StopSignal(BooleanSupplier mayAct) {
    this(new CountDownLatch(1), mayAct);
  }

  private StopSignal(CountDownLatch stopped, BooleanSupplier mayAct) {
    this.stopped = stopped;
    this.mayAct = mayAct;
  }

  /** One that tells to end whenever this one does, its pauses included, and sooner. */
  public StopSignal orUnless(BooleanSupplier mayGoOn) {
    return new StopSignal(stopped, () -> mayAct.getAsBoolean() && mayGoOn.getAsBoolean());
  }

  /** Ends all work and all pauses, for good. */
  public void stop() {
    stopped.countDown();
    atStop.forEach(Runnable::run);
  }

  /** Has something done when told to stop, to wake what waits for an answer. */
  public void atStop(Runnable action) {
    atStop.add(action);
    if (stopped.getCount() == 0) {
      action.run();
    }
  }

  /** Forgets what was given to {@link #atStop}. */
  public void notAtStop(Runnable action) {
    atStop.remove(action);
  }

  /** Whether the next step must not be taken. */
  public boolean isStopped() {
    return stopped.getCount() == 0 || !mayAct.getAsBoolean();
  }

  /**
   * Waits, unless it is time to stop.
   *
   * @return whether to go on
   */
  public boolean pause(Duration duration) {
    try {
      return !stopped.await(duration.toNanos(), TimeUnit.NANOSECONDS) && !isStopped();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
