package dev.shipshape.webhook;

import java.time.Duration;

/**
 * What connections may cost, so that slow or idle clients cannot hold up others.
 *
 * @param most how many there may be at once; for one more, one that is behind is closed, and where
 *     none is, a few more are answered that there are too many
 * @param head how long a new connection may take to its first whole request head
 * @param body how long a body may take
 * @param idle how long a connection may go without another whole request head; longer than the 90 s
 *     after which the API server closes an idle one itself, lest it writes a call into a connection
 *     that is just being closed, which it would not send again
 * @param grace how long a client may do nothing, or too little, before it is behind and yields to
 *     others where there is no room; well within a call's time, so that the others' next try, after
 *     a second, comes in time
 */
record ConnectionLimits(int most, Duration head, Duration body, Duration idle, Duration grace) {
  static final int DEFAULT_MOST = 1_000;

  /** The API server gives a call 30 s at most, and sends it at once. */
  static ConnectionLimits of(int most) {
    return new ConnectionLimits(
        most,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10),
        Duration.ofMinutes(2),
        Duration.ofMillis(500));
  }
}
