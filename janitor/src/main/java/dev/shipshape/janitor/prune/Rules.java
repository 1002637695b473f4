package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Verdict.Keep;
import dev.shipshape.janitor.prune.Verdict.Prune;
import dev.shipshape.janitor.prune.Verdict.Reason;
import dev.shipshape.janitor.prune.Verdict.Rule;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which session may go, decided from that session and the time alone.
 *
 * @param olderThan the least age
 * @param grace the least time after completion, however short the age: the batcher must have seen a
 *     completed session before it goes
 * @param pendingOlderThan the least age of a pending session that never began; null keeps them all
 * @param imageResults whether sessions that hold the only record of an image may go
 */
public record Rules(
    NamePattern name,
    Duration olderThan,
    Duration grace,
    @Nullable Duration pendingOlderThan,
    boolean imageResults) {

  /**
   * Judges one session.
   *
   * @param now the server's time, not ours
   */
  public Verdict judge(Session session, Instant now) {
    if (!name.matches(session.name())) {
      return new Keep(Reason.NAME);
    }
    if (session.marks().contains(Mark.KEEP)) {
      return new Keep(Reason.KEEP_MARK);
    }
    if (session.marks().contains(Mark.IMAGE_RESULT) && !imageResults) {
      return new Keep(Reason.IMAGE_RESULT);
    }
    if (session.marks().contains(Mark.LEAVING)) {
      return new Keep(Reason.LEAVING);
    }
    return switch (session.state()) {
      case "complete" ->
          mayJustHaveEnded(session, now)
              ? new Keep(Reason.YOUNG)
              : byAge(session, Rule.COMPLETE_AGED, leastAge(session), now);
      case "pending" -> judgePending(session, now);
      default -> new Keep(Reason.STATE);
    };
  }

  /** The operator makes the Job first and then writes so into the session, if it still can. */
  private Verdict judgePending(Session session, Instant now) {
    if (pendingOlderThan == null || session.job() != null) {
      return new Keep(Reason.STATE);
    }
    return session.marks().contains(Mark.WORKING)
        ? new Keep(Reason.WORKING)
        : byAge(session, Rule.PENDING_STUCK, pendingOlderThan, now);
  }

  /** Nothing says when it ended, and it was written within the grace: perhaps that it has ended. */
  private boolean mayJustHaveEnded(Session session, Instant now) {
    var written = session.times().written();
    return session.times().completed() == null
        && written != null
        && written.isAfter(now.minus(grace));
  }

  /** Without a completion time, the most that can be told of one that the REST service lists. */
  private Duration leastAge(Session session) {
    if (session.times().completed() == null) {
      return olderThan.plus(grace);
    }
    return olderThan.compareTo(grace) < 0 ? grace : olderThan;
  }

  private static Verdict byAge(Session session, Rule rule, Duration least, Instant now) {
    var since = session.times().since().orElse(null);
    if (since == null || session.marks().contains(Mark.UNREADABLE_TIME)) {
      return new Keep(Reason.UNKNOWN_AGE);
    }
    if (since.isAfter(now)) {
      return new Keep(Reason.FUTURE);
    }
    var age = Duration.between(since, now);
    return age.compareTo(least) < 0 ? new Keep(Reason.YOUNG) : new Prune(rule, since, age);
  }
}
