package dev.shipshape.webhook;

import io.vertx.core.Vertx;

/**
 * How long an event loop keeps waiting what has arrived. It reads what is ready, answers it, runs
 * its timers and reads again: what it reads now may have waited for as long as the last timer was
 * late, and for as long as it has not run a timer since.
 */
final class Backlog {
  private static final long TICK_MILLIS = 50;
  private static final long TICK_NANOS = TICK_MILLIS * 1_000_000;

  /** Of less than this nothing is thought. */
  private static final long PUNCTUAL_NANOS = TICK_NANOS;

  private long lastTick = System.nanoTime();
  private long late;

  /** Begins to watch the event loop that this is called on. */
  void watch(Vertx vertx) {
    vertx.setTimer(
        TICK_MILLIS,
        tick -> {
          ticked(System.nanoTime());
          watch(vertx);
        });
  }

  /** A timer has run that was set at the last one. */
  void ticked(long now) {
    late = Math.max(0, now - lastTick - TICK_NANOS);
    lastTick = now;
  }

  /** When what is read now may have arrived, at the earliest. */
  long arrival(long now) {
    var waited = late + Math.max(0, now - lastTick - TICK_NANOS);
    return waited <= PUNCTUAL_NANOS ? now : now - waited;
  }
}
