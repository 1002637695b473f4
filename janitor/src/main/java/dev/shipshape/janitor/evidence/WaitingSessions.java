package dev.shipshape.janitor.evidence;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.Patience;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Sessions;
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
public final class WaitingSessions {
  private static final Logger logger = LoggerFactory.getLogger(WaitingSessions.class);

  /** How often the metric is worth a list. */
  private static final Duration REFRESH = Duration.ofMinutes(5);

  /** A check of the operator must not be held up where the server asks for patience. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int LISTS = 3;

  private final Sessions sessions;
  private final InstantSource clock;
  private @Nullable Waiting last;
  private @Nullable Instant failed;

  public WaitingSessions(Sessions sessions, InstantSource clock) {
    this.sessions = sessions;
    this.clock = clock;
  }

  /**
   * Those that wait, listed no longer ago than that.
   *
   * @throws ApiFailure where the sessions cannot be listed
   */
  public synchronized Waiting noOlderThan(Duration age) {
    var known = last;
    if (known != null && isWithin(known.seen(), age)) {
      return known;
    }
    try {
      var listed = Patience.atMost(PATIENCE, this::list);
      last = listed;
      failed = null;
      return listed;
    } catch (ApiFailure e) {
      failed = clock.instant();
      throw e;
    }
  }

  /** Those that wait, listed every few minutes; empty where they cannot be listed. */
  public synchronized Optional<Waiting> recent() {
    var tried = failed;
    if (tried != null && isWithin(tried, REFRESH)) {
      return Optional.empty();
    }
    try {
      return Optional.of(noOlderThan(REFRESH));
    } catch (ApiFailure e) {
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
    for (var listed = 1; ; listed++) {
      var census = new Census();
      try {
        sessions.list(census);
        return census.result(clock.instant());
      } catch (ApiFailure e) {
        // 410: the list grew too old while it was read, and is void.
        if (e.code() != 410 || listed == LISTS) {
          throw e;
        }
      }
    }
  }

  private static final class Census implements Sessions.Listener {
    private Instant server = Instant.EPOCH;
    private int count;
    private Duration longest = Duration.ZERO;

    @Override
    public void begin(Instant now) {
      server = now;
    }

    @Override
    public void each(Session session) {
      if (session.state().equals("complete")
          || session.job() != null
          || session.marks().contains(Mark.LEAVING)) {
        return;
      }
      count++;
      var times = session.times();
      var since = times.started() != null ? times.started() : times.created();
      if (since != null) {
        var waited = Duration.between(since, server);
        longest = waited.compareTo(longest) > 0 ? waited : longest;
      }
    }

    Waiting result(Instant now) {
      return new Waiting(now, count, longest);
    }
  }
}
