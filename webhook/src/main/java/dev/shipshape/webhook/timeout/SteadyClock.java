package dev.shipshape.webhook.timeout;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another clock's time, asked for once a minute and carried on in between by one that only runs
 * forward, so that setting the machine's clock changes nothing. Never waits; says 1970 until the
 * other clock has been heard, when nothing has taken too long yet or is too old.
 */
public final class SteadyClock implements InstantSource {
  private static final Logger logger = LoggerFactory.getLogger(SteadyClock.class);
  private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  private record Heard(Instant time, long at) {}

  private final InstantSource other;
  private final LongSupplier nanoTime;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile @Nullable Heard heard;
  private volatile long nextAt;

  /**
   * Asks when it is first looked at.
   *
   * @param other may wait, and throw IllegalStateException where it does not know
   */
  public SteadyClock(InstantSource other, LongSupplier nanoTime) {
    this.other = other;
    this.nanoTime = nanoTime;
    this.nextAt = nanoTime.getAsLong();
  }

  @Override
  public Instant instant() {
    var now = nanoTime.getAsLong();
    if (now - nextAt >= 0 && asking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("clock").start(this::ask);
    }
    var last = heard;
    return last == null ? Instant.EPOCH : last.time().plusNanos(now - last.at());
  }

  private void ask() {
    try {
      var time = other.instant();
      heard = new Heard(time, nanoTime.getAsLong());
      nextAt = nanoTime.getAsLong() + EVERY_NANOS;
    } catch (IllegalStateException e) {
      nextAt = nanoTime.getAsLong() + AGAIN_NANOS;
      logger.warn("{}; until then times are carried on from what it said last", e.getMessage());
    } finally {
      asking.set(false);
    }
  }
}
