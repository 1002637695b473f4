package dev.shipshape.webhook.certificate;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Since when one bundle has stood in the configurations. Each API server learns of it by its own
 * watch, so it counts as trusted only after a while.
 */
final class BundleGracePeriod {
  private final Duration needed;
  private @Nullable String bundle;
  private Instant since = Instant.MAX;

  BundleGracePeriod(Duration needed) {
    this.needed = needed;
  }

  /**
   * Notes what is there now.
   *
   * @param stands whether all configurations that exist have it
   * @return whether they have had it for long enough
   */
  boolean has(String wanted, boolean stands, Instant now) {
    if (!stands) {
      bundle = null;
      return false;
    }
    // A clock that was set back would make it wait for longer than it needs.
    if (!wanted.equals(bundle) || now.isBefore(since)) {
      bundle = wanted;
      since = now;
    }
    return !now.isBefore(since.plus(needed));
  }
}
