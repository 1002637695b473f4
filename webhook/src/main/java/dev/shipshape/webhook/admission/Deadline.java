package dev.shipshape.webhook.admission;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When the API server cancels a call. The timeout that it sends is in whole seconds, rounded up, so
 * up to one second less may be left.
 *
 * @param nanoTime of {@link System#nanoTime}
 */
record Deadline(long nanoTime) {
  private static final Pattern SECONDS = Pattern.compile("(?:^|&)timeout=([0-9]{1,4})s(?:&|$)");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** The API server's default. */
  private static final long DEFAULT_SECONDS = 10;

  /** The API server's maximum. */
  private static final long MAX_SECONDS = 30;

  /** What is assumed to be left of the last second. */
  private static final long LAST_SECOND = Duration.ofMillis(300).toNanos();

  /** The deadline of a call that has just arrived with a query such as {@code timeout=5s}. */
  static Deadline of(@Nullable String query, long now) {
    var written = SECONDS.matcher(query == null ? "" : query);
    var seconds =
        written.find() ? Math.min(Long.parseLong(written.group(1)), MAX_SECONDS) : DEFAULT_SECONDS;
    return new Deadline(now + Math.max((seconds - 1) * SECOND, LAST_SECOND));
  }

  /** Whether a response would be too late, or too late for a retry. */
  boolean isTooLate(long now) {
    return nanoTime - now <= 0;
  }

  /** Milliseconds until the API server has certainly cancelled the call. */
  long millisUntilCancelled(long now) {
    return Math.max(1, Duration.ofNanos(nanoTime + SECOND - now).toMillis());
  }
}
