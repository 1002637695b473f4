package dev.shipshape.janitor.pace;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long to wait until what failed is tried again: twice as long each time, up to a bound. */
public final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration next;

  public Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  /**
   * The next pause.
   *
   * @param asked the least that the server asks for, obeyed up to the bound; null where it does not
   */
  public Duration next(@Nullable Duration asked) {
    var pause = asked != null && asked.compareTo(next) > 0 ? bounded(asked) : next;
    next = bounded(next.multipliedBy(2));
    return pause;
  }

  /** What was tried has come right. */
  public void reset() {
    next = first;
  }

  private Duration bounded(Duration pause) {
    return pause.compareTo(longest) > 0 ? longest : pause;
  }
}
