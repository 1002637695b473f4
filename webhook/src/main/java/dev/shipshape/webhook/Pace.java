package dev.shipshape.webhook;

import java.time.Duration;

/**
 * Whether a connection's client gets on: it is behind when for a while it has neither sent a call's
 * head nor as much of its body as may be asked for. Where there is no room, one that is behind
 * yields; the addresses of clients say nothing, for all API servers may come by one. Kept by the
 * connection's event loop, and read by all of them.
 */
final class Pace {
  /** A megabyte a second. The API server sends a body at once. */
  private static final long NANOS_A_BYTE = 1_000;

  /** How long the API server waits for an answer at most, and so how long none is to yield. */
  private static final long ANSWER_NANOS = Duration.ofSeconds(30).toNanos();

  private final long grace;
  private volatile long due;

  /**
   * @param grace how long a client may do nothing, and no longer for having done much before
   */
  Pace(Duration grace, long now) {
    this.grace = grace.toNanos();
    this.due = now + this.grace;
  }

  /** It is the client's turn. */
  void begin(long now) {
    due = now + grace;
  }

  /** More of a body has come. */
  void advance(int bytes, long now) {
    var paidUntil = due + bytes * NANOS_A_BYTE;
    due = paidUntil - now < grace ? paidUntil : now + grace;
  }

  /** The client waits for an answer. */
  void awaitAnswer(long now) {
    due = now + ANSWER_NANOS;
  }

  /** For how long it has been behind, in nanoseconds; less than 0 where it is not. */
  long behind(long now) {
    return now - due;
  }
}
