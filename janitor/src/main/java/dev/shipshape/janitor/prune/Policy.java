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
 * Which sessions are deleted, and how many at once: see {@code prune} in
 * docs/reference/settings.md.
 *
 * @param grace the minimum age, so that the batcher sees a completed session before its deletion
 * @param maxPercent of all sessions, measured before {@code maxPerRun} is applied, so that many
 *     runs cannot exceed it together; null for no limit
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
  private static final Pattern BATCHER =
      Pattern.compile("batcher-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Checks whether the batcher created a session; no other is ever pruned. */
  static boolean isOfBatcher(Session session) {
    return BATCHER.matcher(session.name()).matches();
  }

  /** Judges one session by the server's time, not the local time. */
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

  /** Checks whether a write within the grace may have completed a session without that time. */
  private boolean mayJustHaveEnded(Session session, Instant now) {
    var written = session.times().written();
    return session.times().completed() == null
        && written != null
        && written.isAfter(now.minus(grace));
  }

  /** Adds the grace if the completion time is unknown: the age then counts from an earlier time. */
  private Duration minAge(Session session, Duration configured) {
    if (session.times().completed() == null) {
      return configured.plus(grace);
    }
    return configured.compareTo(grace) < 0 ? grace : configured;
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
    if (age.compareTo(minAge(session, olderThan)) < 0) {
      return new Keep(Reason.YOUNG);
    }
    return session.marks().contains(Mark.FAILED)
            && age.compareTo(minAge(session, olderThanFailed)) < 0
        ? new Keep(Reason.FAILED)
        : new Prune(age);
  }
}
