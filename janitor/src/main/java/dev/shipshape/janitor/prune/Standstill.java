package dev.shipshape.janitor.prune;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How long a server has carried nothing out, whichever worker asked it. */
final class Standstill {
  private final Duration most;
  private final LongSupplier nanoTime;
  private @Nullable Long since;

  Standstill(Duration most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /** It has failed, has asked for fewer requests, or did not answer. */
  synchronized void goesOn() {
    if (since == null) {
      since = nanoTime.getAsLong();
    }
  }

  synchronized void ends() {
    since = null;
  }

  synchronized boolean isTooLong() {
    return since != null && nanoTime.getAsLong() - since > most.toNanos();
  }
}
