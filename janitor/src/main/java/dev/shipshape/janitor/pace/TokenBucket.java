package dev.shipshape.janitor.pace;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Spaces requests out: so many a second and no bursts, shared by all workers. A recovering operator
 * must not be flooded with deletions.
 */
public final class TokenBucket {
  private final long interval;
  private final LongSupplier nanoTime;
  private long next;
  private long heldUntil;

  /**
   * @param perSecond at least 1
   */
  public TokenBucket(int perSecond, LongSupplier nanoTime) {
    this.interval = Duration.ofSeconds(1).toNanos() / perSecond;
    this.nanoTime = nanoTime;
    this.next = nanoTime.getAsLong();
    this.heldUntil = next;
  }

  /** Takes the next token; returns how long its holder must wait before acting. */
  public synchronized Duration take() {
    var now = nanoTime.getAsLong();
    var mine = Math.max(next, now);
    next = mine + interval;
    return Duration.ofNanos(mine - now);
  }

  /** Gives no token that acts before {@code pause} is over: the server asked for it. */
  public synchronized void holdBack(Duration pause) {
    heldUntil = Math.max(heldUntil, nanoTime.getAsLong() + pause.toNanos());
    next = Math.max(next, heldUntil);
  }

  /** Whether such a pause is under way, for whoever took a token before it began. */
  public synchronized boolean isHeldBack() {
    return nanoTime.getAsLong() < heldUntil;
  }
}
