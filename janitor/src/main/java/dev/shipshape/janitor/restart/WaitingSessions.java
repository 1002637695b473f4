package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the sessions that wait for the operator: not complete, and without a Job. To list all is
 * expensive, so the result is cached, also a failure.
 */
final class WaitingSessions {
  private static final Logger logger = LoggerFactory.getLogger(WaitingSessions.class);
  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

  /**
   * @param count of the waiting sessions
   * @param longest the longest wait time, by the server's clock; zero if unknown or none waits
   */
  record Waiting(int count, Duration longest) {}

  private final Supplier<SessionList> sessions;
  private final InstantSource clock;
  private Optional<Waiting> last = Optional.empty();
  private @Nullable Instant lastAttempt;

  WaitingSessions(Supplier<SessionList> sessions, InstantSource clock) {
    this.sessions = sessions;
    this.clock = clock;
  }

  /** Returns the waiting sessions, at most five minutes old; empty if they could not be listed. */
  synchronized Optional<Waiting> recent() {
    var now = clock.instant();
    // A time in the future means that the clock was set back.
    if (lastAttempt == null
        || lastAttempt.isAfter(now)
        || !now.isBefore(lastAttempt.plus(REFRESH_INTERVAL))) {
      lastAttempt = now;
      last = list();
    }
    return last;
  }

  private Optional<Waiting> list() {
    try {
      var list = sessions.get();
      var waits =
          list.sessions()
              .filter(WaitingSessions::isWaiting)
              .map(session -> waitTime(session.times(), list.serverTime()))
              .toList();
      var longest = waits.stream().max(Duration::compareTo).orElse(Duration.ZERO);
      return Optional.of(new Waiting(waits.size(), longest));
    } catch (KubernetesClientException e) {
      logger.warn("operator: could not list the sessions that wait for it: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static boolean isWaiting(Session session) {
    return !session.state().equals("complete")
        && session.job() == null
        && !session.marks().contains(Mark.TERMINATING);
  }

  private static Duration waitTime(Times times, Instant now) {
    var since = times.started() != null ? times.started() : times.created();
    return since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
  }
}
