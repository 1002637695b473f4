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
 * Counts the sessions that wait for the operator: not complete, and without a Job. A list of them
 * all is dear, so the answer is kept for a while, and so is that there was none.
 */
final class WaitingSessions {
  private static final Logger logger = LoggerFactory.getLogger(WaitingSessions.class);
  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

  /**
   * Sessions that the operator has given no Job yet.
   *
   * @param count how many there are
   * @param longest how long the oldest of them has waited, by the server's clock; zero where none
   *     does, or where none says since when
   */
  record Waiting(int count, Duration longest) {}

  private final Supplier<SessionList> sessions;
  private final InstantSource clock;
  private Optional<Waiting> last = Optional.empty();
  private @Nullable Instant tried;

  WaitingSessions(Supplier<SessionList> sessions, InstantSource clock) {
    this.sessions = sessions;
    this.clock = clock;
  }

  /** Those that waited within the last minutes; empty where they could not be listed. */
  synchronized Optional<Waiting> recent() {
    var now = clock.instant();
    // A time in the future is a clock that was set back: it proves no freshness.
    if (tried == null || tried.isAfter(now) || !now.isBefore(tried.plus(REFRESH_INTERVAL))) {
      tried = now;
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
              .map(session -> waited(session.times(), list.serverTime()))
              .toList();
      var longest = waits.stream().max(Duration::compareTo).orElse(Duration.ZERO);
      return Optional.of(new Waiting(waits.size(), longest));
    } catch (KubernetesClientException e) {
      logger.warn("operator: the sessions that wait for it are unknown: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static boolean isWaiting(Session session) {
    return !session.state().equals("complete")
        && session.job() == null
        && !session.marks().contains(Mark.TERMINATING);
  }

  private static Duration waited(Times times, Instant now) {
    var since = times.started() != null ? times.started() : times.created();
    return since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
  }
}
