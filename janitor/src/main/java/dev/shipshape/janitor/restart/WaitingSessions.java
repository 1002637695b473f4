package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the sessions that wait for the operator: not complete, and without a Job. A list of them
 * all is dear, so it is kept for as long as the question allows.
 */
final class WaitingSessions {
  private static final Logger logger = LoggerFactory.getLogger(WaitingSessions.class);

  /** A list of sessions is dear; one of this age still tells of sessions that wait for minutes. */
  static final Duration FRESH = Duration.ofMinutes(1);

  /** How often the metric is worth a list. */
  static final Duration REFRESH = Duration.ofMinutes(5);

  private final SessionStore sessions;
  private final InstantSource clock;
  private @Nullable Waiting last;
  private @Nullable Instant failed;

  WaitingSessions(SessionStore sessions, InstantSource clock) {
    this.sessions = sessions;
    this.clock = clock;
  }

  /**
   * Those that wait, listed no longer ago than that.
   *
   * @throws KubernetesClientException where the sessions cannot be listed
   */
  synchronized Waiting noOlderThan(Duration age) {
    var known = last;
    if (known != null && isWithin(known.seen(), age)) {
      return known;
    }
    try {
      var listed = list();
      last = listed;
      failed = null;
      return listed;
    } catch (KubernetesClientException e) {
      failed = clock.instant();
      throw e;
    }
  }

  /** The same, and tried no more often; empty where they cannot be listed. */
  synchronized Optional<Waiting> recent(Duration age) {
    var tried = failed;
    if (tried != null && isWithin(tried, age)) {
      return Optional.empty();
    }
    try {
      return Optional.of(noOlderThan(age));
    } catch (KubernetesClientException e) {
      logger.warn("operator: the sessions that wait for it are unknown: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** A time in the future is a clock that was set back: it proves no freshness. */
  private boolean isWithin(Instant time, Duration age) {
    var passed = Duration.between(time, clock.instant());
    return !passed.isNegative() && passed.compareTo(age) < 0;
  }

  private Waiting list() {
    var list = sessions.list();
    var waits =
        list.sessions()
            .filter(WaitingSessions::isWaiting)
            .map(session -> waited(session.times(), list.serverTime()))
            .toList();
    var longest = waits.stream().max(Duration::compareTo).orElse(Duration.ZERO);
    return new Waiting(clock.instant(), waits.size(), longest);
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
