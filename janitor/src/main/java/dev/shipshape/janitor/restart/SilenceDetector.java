package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.Times;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.Durations;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects an operator that logs nothing. An idle operator is silent too, so silence counts only
 * while a session waits for it: not complete, and without a Job.
 */
final class SilenceDetector {
  private static final Logger logger = LoggerFactory.getLogger(SilenceDetector.class);

  /** To list all sessions is expensive, so the result is kept this long, also a failure. */
  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

  private final Duration after;
  private final Supplier<SessionList> sessions;

  /** The wait times in milliseconds, by the server's clock; none if they could not be listed. */
  private LongSummaryStatistics waits = new LongSummaryStatistics();

  private @Nullable Instant lastAttempt;

  /** The last activity that a check saw, by the node's clock. */
  private @Nullable Instant seen;

  /** When a check saw that it had changed, by this machine's clock. */
  private Instant changed = Instant.MIN;

  /**
   * @param after the time without a line, and the wait time of a session, from which silence counts
   */
  SilenceDetector(Duration after, Supplier<SessionList> sessions) {
    this.after = after;
    this.sessions = sessions;
  }

  /** Describes the silence in one line; empty if the operator is not silent, or this is unknown. */
  Optional<String> evaluate(List<InstanceHealth> instances, Instant now) {
    var lastActivity = lastActivity(instances);
    if (lastActivity == null) {
      return Optional.empty();
    }
    // A log that grows is not silent, though the clock of its node may be behind.
    if (seen != null && !lastActivity.equals(seen)) {
      changed = now;
      // A session of the last list may have been what it logged about.
      lastAttempt = null;
    }
    seen = lastActivity;
    var since = now.minus(after);
    // A time in the future means that the clock was set back.
    if (lastActivity.isAfter(since) || (changed.isAfter(since) && !changed.isAfter(now))) {
      return Optional.empty();
    }
    refresh(now);
    return waits.getMax() < after.toMillis()
        ? Optional.empty()
        : Optional.of(
            "no line since %s, while %d sessions wait, one for %s"
                .formatted(
                    lastActivity,
                    waits.getCount(),
                    Durations.format(Duration.ofMillis(waits.getMax()))));
  }

  /** The latest activity of all instances; null if that of one is unknown: it may be active. */
  private static @Nullable Instant lastActivity(List<InstanceHealth> instances) {
    Instant last = null;
    for (var instance : instances) {
      var activity = instance.lastActivity();
      if (activity == null) {
        return null;
      }
      last = last == null || activity.isAfter(last) ? activity : last;
    }
    return last;
  }

  private void refresh(Instant now) {
    // A time in the future means that the clock was set back.
    if (lastAttempt != null
        && !lastAttempt.isAfter(now)
        && now.isBefore(lastAttempt.plus(REFRESH_INTERVAL))) {
      return;
    }
    lastAttempt = now;
    waits = new LongSummaryStatistics();
    try {
      var list = sessions.get();
      waits =
          list.sessions()
              .filter(SilenceDetector::isWaiting)
              .map(session -> waitTime(session.times(), list.serverTime()))
              .mapToLong(Duration::toMillis)
              .summaryStatistics();
    } catch (KubernetesClientException e) {
      logger.warn(
          "operators: could not list the sessions that wait for one: {}", ApiErrors.reason(e));
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
