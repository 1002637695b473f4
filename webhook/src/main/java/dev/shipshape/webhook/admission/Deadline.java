package dev.shipshape.webhook.admission;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When the API server gives a call up. It says so in whole seconds, rounded up, so that up to one
 * second less is left.
 *
 * @param nanoTime by {@link System#nanoTime}
 */
record Deadline(long nanoTime) {
  private static final Pattern SECONDS = Pattern.compile("(?:^|&)timeout=([0-9]{1,4})s(?:&|$)");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** What the API server takes where a configuration does not say. */
  private static final long USUAL_SECONDS = 10;

  /** The most that a configuration may say. */
  private static final long MOST_SECONDS = 30;

  /** Of the last second anything may be left; this much is taken to be. */
  private static final long LAST_SECOND = Duration.ofMillis(300).toNanos();

  /**
   * The deadline of a call that came now.
   *
   * @param query the URI's query, such as {@code timeout=5s}
   */
  static Deadline of(@Nullable String query, long now) {
    var written = SECONDS.matcher(query == null ? "" : query);
    var seconds =
        written.find() ? Math.min(Long.parseLong(written.group(1)), MOST_SECONDS) : USUAL_SECONDS;
    return new Deadline(now + Math.max((seconds - 1) * SECOND, LAST_SECOND));
  }

  /** Whether an answer would come too late, or so late that a second try is out of reach. */
  boolean leavesNoTime(long now) {
    return nanoTime - now <= 0;
  }

  /** How long it is until the API server has given the call up for certain, in milliseconds. */
  long untilOver(long now) {
    return Math.max(1, Duration.ofNanos(nanoTime + SECOND - now).toMillis());
  }
}
