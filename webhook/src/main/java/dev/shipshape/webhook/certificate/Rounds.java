package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a task in a thread of its own: when rung for, when a condition changes, and every few
 * seconds all the same. A round that fails is said and repeated.
 */
final class Rounds implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Rounds.class);

  /** Bounds how often a round runs, however often it is rung for. */
  private static final Duration TICK = Duration.ofMillis(200);

  private static final Duration END = Duration.ofSeconds(5);

  private final String what;
  private final long ticksBetween;
  private final BooleanSupplier condition;
  private final Runnable round;
  private final AtomicBoolean rung = new AtomicBoolean(true);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private String lastFailure = "";

  /**
   * Does nothing yet: see {@link #start}.
   *
   * @param what the task is for, for messages
   */
  Rounds(String what, Duration between, BooleanSupplier condition, Runnable round) {
    this.what = what;
    this.ticksBetween = Math.max(1, between.dividedBy(TICK));
    this.condition = condition;
    this.round = round;
    this.thread = Thread.ofVirtual().name(what).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Asks for a round soon. */
  void ring() {
    rung.set(true);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      if (!thread.join(END)) {
        logger.warn("{}: still at work after {}", what, END);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    var ticks = 0L;
    var before = condition.getAsBoolean();
    try {
      do {
        var now = condition.getAsBoolean();
        if (rung.getAndSet(false) || now != before || ++ticks >= ticksBetween) {
          ticks = 0;
          before = now;
          once();
        }
      } while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void once() {
    try {
      round.run();
      lastFailure = "";
    } catch (RuntimeException e) {
      var failure = explain(e);
      if (!failure.equals(lastFailure)) {
        logger.warn("{}: {}; will try again", what, failure);
      }
      lastFailure = failure;
    }
  }

  /** The API server's own words: the library's repeat the whole answer. */
  static String explain(RuntimeException failure) {
    return failure instanceof KubernetesClientException refused && refused.getStatus() != null
        ? "the API server answered %d: %s"
            .formatted(refused.getCode(), refused.getStatus().getMessage())
        : failure.toString();
  }
}
