package dev.shipshape.janitor.kubernetes;

import dev.shipshape.janitor.pace.StopSignal;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Asks again where a server asks for patience: 429 or 503 with a Retry-After. One such answer to
 * one page of a list must not cost the whole list. There is only so much of it for one list, and
 * less where whoever asks for the list is in a hurry.
 */
public final class Patience {
  private static final int REPEATS = 4;
  private static final Duration MOST = Duration.ofMinutes(2);

  /** When those who are in a hurry wait no longer, by {@link System#nanoTime}. */
  private static final ScopedValue<Long> LATEST = ScopedValue.newInstance();

  private static final StopSignal NEVER = new StopSignal(() -> true);

  private final StopSignal stop;
  private int repeats;
  private Duration left = MOST;

  /**
   * @param stop ends the waiting, and the list
   */
  public Patience(StopSignal stop) {
    this(stop, REPEATS);
  }

  private Patience(StopSignal stop, int repeats) {
    this.stop = stop;
    this.repeats = repeats;
  }

  /** None at all, for those who begin again by themselves. */
  public static Patience none() {
    return new Patience(NEVER, 0);
  }

  /**
   * Does something in a hurry: all of its lists together wait no longer than that.
   *
   * @param most from now
   */
  public static <T> T atMost(Duration most, Supplier<T> work) {
    return ScopedValue.where(LATEST, System.nanoTime() + most.toNanos()).call(work::get);
  }

  /**
   * To be asked between two pages.
   *
   * @throws ApiFailure when told to stop
   */
  public void requireGoingOn() {
    if (stop.isStopped()) {
      throw ApiFailure.unsuitable("told to stop within a list");
    }
  }

  /**
   * The answer to a request, sent again after each pause that is asked for.
   *
   * @throws ApiFailure where it fails otherwise, where there is no patience left, or when told to
   *     stop
   */
  public <T> T with(Supplier<T> request) {
    while (true) {
      try {
        return request.get();
      } catch (ApiFailure e) {
        var asked = e.retryAfter();
        if (asked == null
            || (e.code() != 429 && e.code() != 503)
            || repeats == 0
            || asked.compareTo(left) > 0
            || isTooLong(asked)
            || !stop.pause(asked)) {
          throw e;
        }
        repeats--;
        left = left.minus(asked);
      }
    }
  }

  private static boolean isTooLong(Duration pause) {
    return LATEST.isBound() && System.nanoTime() + pause.toNanos() - LATEST.get() > 0;
  }
}
