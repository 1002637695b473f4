package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * What must go, written from the sentences of the reference and not from the code: one list, one
 * sentence after another. Slow, and sure.
 */
record Oracle(Policy policy, Instant now) {
  private static final String NAME =
      "batcher-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

  /** All that the rules choose, oldest first; the limits on a whole run left out. */
  List<Session> eligible(List<Session> all) {
    var newest = newest(all);
    var chosen = new ArrayList<Session>();
    for (var session : all) {
      if (mayGo(session) && !newest.contains(session)) {
        chosen.add(session);
      }
    }
    chosen.sort(byAge());
    return chosen;
  }

  /** Whether more would go than a run may ever take. */
  boolean isTooMuch(int eligible, int all) {
    var percent = policy.maxPercent();
    return percent != null && eligible * 100.0 / all > percent;
  }

  private boolean mayGo(Session session) {
    if (!session.name().matches(NAME)) {
      return false;
    }
    for (var mark : Set.of(Mark.KEEP, Mark.TERMINATING, Mark.UNREADABLE_TIME)) {
      if (session.marks().contains(mark)) {
        return false;
      }
    }
    if (session.marks().contains(Mark.IMAGE_RESULT) && !policy.imageResults()) {
      return false;
    }
    return session.state().equals("complete")
        && isOld(session, leastOfComplete(session))
        && endedBefore(session, policy.grace());
  }

  private Duration leastOfComplete(Session session) {
    var least =
        session.marks().contains(Mark.FAILED) ? policy.olderThanFailed() : policy.olderThan();
    if (session.times().completed() == null) {
      return least.plus(policy.grace());
    }
    return least.compareTo(policy.grace()) > 0 ? least : policy.grace();
  }

  /** It ended before it was written last, if nothing says when. */
  private boolean endedBefore(Session session, Duration ago) {
    var times = session.times();
    return times.completed() != null
        || times.written() == null
        || !times.written().plus(ago).isAfter(now);
  }

  private boolean isOld(Session session, Duration least) {
    return !since(session).plus(least).isAfter(now);
  }

  private List<Session> newest(List<Session> all) {
    var complete =
        new ArrayList<>(
            all.stream()
                .filter(s -> s.name().matches(NAME) && s.state().equals("complete"))
                .filter(s -> !since(s).isAfter(now))
                .toList());
    complete.sort(byAge().reversed());
    return complete.subList(0, Math.min(policy.keepNewest(), complete.size()));
  }

  private static Comparator<Session> byAge() {
    return Comparator.comparing(Oracle::since).thenComparing(Session::reference);
  }

  /** Of one without any time that can be right: later than whatever could be asked for. */
  private static Instant since(Session session) {
    var times = session.times();
    var completed = times.completed();
    if (completed != null
        && (completed.getEpochSecond() <= 0
            || (times.started() != null && completed.isBefore(times.started())))) {
      return Instant.parse("9999-01-01T00:00:00Z");
    }
    for (var time : new Instant[] {times.completed(), times.started(), times.created()}) {
      if (time != null) {
        return time;
      }
    }
    return Instant.parse("9999-01-01T00:00:00Z");
  }
}
