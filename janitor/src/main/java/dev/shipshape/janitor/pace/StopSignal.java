package dev.shipshape.janitor.pace;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells work under way to end before its next step: because the program ends, or because another
 * replica leads now.
 */
public final class StopSignal {
  private final CountDownLatch stopped;
  private final Set<Runnable> atStop = ConcurrentHashMap.newKeySet();
  private final BooleanSupplier mayAct;

  /** When it tells to end by itself, by {@link System#nanoTime}; null for never. */
  private final @Nullable Long end;

  /**
   * @param mayAct whether this replica leads; asked before each step
   */
  public StopSignal(BooleanSupplier mayAct) {
    this(new CountDownLatch(1), mayAct, null);
  }

  private StopSignal(CountDownLatch stopped, BooleanSupplier mayAct, @Nullable Long end) {
    this.stopped = stopped;
    this.mayAct = mayAct;
    this.end = end;
  }

  /** One that tells to end whenever this one does, and after that time; so do its pauses. */
  public StopSignal within(Duration time) {
    return new StopSignal(stopped, () -> !isStopped(), System.nanoTime() + time.toNanos());
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
    return stopped.getCount() == 0 || isOver() || !mayAct.getAsBoolean();
  }

  private boolean isOver() {
    return end != null && end - System.nanoTime() <= 0;
  }

  /**
   * Waits, unless it is time to stop.
   *
   * @return whether to go on
   */
  public boolean pause(Duration duration) {
    try {
      var nanos = duration.toNanos();
      var most = end == null ? nanos : Math.min(nanos, end - System.nanoTime());
      return !stopped.await(most, TimeUnit.NANOSECONDS) && !isStopped();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
