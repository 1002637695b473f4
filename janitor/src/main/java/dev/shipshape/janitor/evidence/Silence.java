package dev.shipshape.janitor.evidence;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An operator with nothing to do is silent too: so silence counts only while a session waits. */
public final class Silence {
  /** A list of sessions is dear; one of this age still tells of sessions that wait for minutes. */
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final Duration after;
  private final WaitingSessions sessions;

  /**
   * Looks for it.
   *
   * @param after how long without a line, while a session waits that long
   */
  public Silence(Duration after, WaitingSessions sessions) {
    this.after = after;
    this.sessions = sessions;
  }

  /**
   * One look.
   *
   * @param lastSign when the operator last gave a sign of life; null where that is unknown
   */
  public Evidence judge(@Nullable Instant lastSign, Instant now) {
    if (lastSign == null) {
      return new Evidence.Unknown("its log could not be read");
    }
    if (lastSign.isAfter(now.minus(after))) {
      return new Evidence.Absent();
    }
    try {
      var waiting = sessions.noOlderThan(FRESH);
      return waiting.isAtLeast(after)
          ? new Evidence.Present(
              "no line since %s, while %d sessions wait, one for %s"
                  .formatted(lastSign, waiting.count(), waiting.longest()))
          : new Evidence.Absent();
    } catch (KubernetesClientException e) {
      return new Evidence.Unknown(String.valueOf(e.getMessage()));
    }
  }
}
