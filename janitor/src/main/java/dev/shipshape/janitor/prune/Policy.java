package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Verdict.Keep;
import dev.shipshape.janitor.prune.Verdict.Prune;
import dev.shipshape.janitor.prune.Verdict.Reason;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions may go, and how many at once: see {@code prune} in docs/reference/settings.md.
 *
 * @param grace however short the age: the batcher must have seen a completed session before it goes
 * @param maxPercent of all sessions, measured before {@code maxPerRun} cuts, so that many runs
 *     cannot do what one may not; null for no such bound
 */
public record Policy(
    Duration olderThan,
    Duration olderThanFailed,
    Duration grace,
    boolean imageResults,
    int keepNewest,
    int maxPerRun,
    @Nullable Integer maxPercent,
    Duration clockTolerance) {
  /** What the batcher calls its sessions. */
  private static final Pattern BATCHER =
      Pattern.compile("batcher-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Whether the batcher made a session; no other is ever pruned. */
  static boolean isOfBatcher(Session session) {
    return BATCHER.matcher(session.name()).matches();
  }

  /**
   * Judges one session.
   *
   * @param now the server's time, not ours
   */
  public Verdict judge(Session session, Instant now) {
    if (!isOfBatcher(session)) {
      return new Keep(Reason.NAME);
    }
    if (session.marks().contains(Mark.KEEP)) {
      return new Keep(Reason.KEEP_MARK);
    }
    if (session.marks().contains(Mark.IMAGE_RESULT) && !imageResults) {
      return new Keep(Reason.IMAGE_RESULT);
    }
    if (session.marks().contains(Mark.TERMINATING)) {
      return new Keep(Reason.TERMINATING);
    }
    if (!session.state().equals("complete")) {
      return new Keep(Reason.STATE);
    }
    return mayJustHaveEnded(session, now) ? new Keep(Reason.YOUNG) : byAge(session, now);
  }

  /** Nothing says when it ended, and it was written within the grace: perhaps that it has ended. */
  private boolean mayJustHaveEnded(Session session, Instant now) {
    var written = session.times().written();
    return session.times().completed() == null
        && written != null
        && written.isAfter(now.minus(grace));
  }

  /** Without a completion time, the most that can be told of one that the REST service lists. */
  private Duration leastAge(Session session, Duration wanted) {
    if (session.times().completed() == null) {
      return wanted.plus(grace);
    }
    return wanted.compareTo(grace) < 0 ? grace : wanted;
  }

  private Verdict byAge(Session session, Instant now) {
    var since = session.times().since().orElse(null);
    if (since == null || session.marks().contains(Mark.UNREADABLE_TIME)) {
      return new Keep(Reason.UNKNOWN_AGE);
    }
    if (since.isAfter(now)) {
      return new Keep(Reason.FUTURE);
    }
    var age = Duration.between(since, now);
    if (age.compareTo(leastAge(session, olderThan)) < 0) {
      return new Keep(Reason.YOUNG);
    }
    return session.marks().contains(Mark.FAILED)
            && age.compareTo(leastAge(session, olderThanFailed)) < 0
        ? new Keep(Reason.FAILED)
        : new Prune(since, age);
  }
}
