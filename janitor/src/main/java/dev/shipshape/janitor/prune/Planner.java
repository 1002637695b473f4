package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.prune.Plan.Stop;
import dev.shipshape.janitor.prune.Verdict.Reason;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Makes a plan from a list of sessions. It holds no more of them than a run may delete and the
 * newest that are kept, however many come.
 */
final class Planner {
  private static final Comparator<Session> OLDEST_FIRST =
      Comparator.<Session, Instant>comparing(s -> s.times().since().orElse(Instant.MAX))
          .thenComparing(Session::reference);

  private final Policy policy;
  private final SessionList list;
  private final Instant now;
  private final Instant own;
  private final SessionStats stats = new SessionStats();

  /** The oldest that may go; its head is the youngest of them, which gives way to an older one. */
  private final PriorityQueue<Entry> oldest =
      new PriorityQueue<>(Comparator.comparing(Entry::session, OLDEST_FIRST).reversed());

  /** The newest complete ones; its head is the oldest of them. */
  private final PriorityQueue<Session> newest = new PriorityQueue<>(OLDEST_FIRST);

  private int eligible;

  private Planner(Policy policy, SessionList list, InstantSource clock) {
    this.policy = policy;
    this.list = list;
    this.now = list.serverTime();
    // Together with the server's: reading the list may take minutes.
    this.own = clock.instant();
  }

  /** What a run would delete. */
  static Plan plan(Policy policy, SessionList list, InstantSource clock) {
    var planner = new Planner(policy, list, clock);
    list.sessions().forEach(planner::add);
    return planner.plan();
  }

  private void add(Session session) {
    var verdict = policy.judge(session, now);
    stats.count(session, verdict, now);
    if (session.state().equals("complete")
        && policy.name().matches(session.name())
        && session.times().since().filter(since -> !since.isAfter(now)).isPresent()) {
      keepUpTo(policy.keepNewest(), newest, session);
    }
    if (verdict instanceof Verdict.Prune prune) {
      eligible++;
      keepUpTo(policy.maxPerRun() + policy.keepNewest(), oldest, new Entry(session, prune));
    }
  }

  private Plan plan() {
    var kept = Set.copyOf(newest);
    for (var session : kept) {
      if (policy.judge(session, now) instanceof Verdict.Prune) {
        eligible--;
        stats.countKept(Reason.NEWEST);
      }
    }
    var stop = stop();
    var entries =
        oldest.stream()
            .filter(entry -> stop.isEmpty() && !kept.contains(entry.session()))
            .sorted(Comparator.comparing(Entry::session, OLDEST_FIRST))
            .limit(policy.maxPerRun())
            .toList();
    return new Plan(list.store(), now, entries, eligible, stats, stop);
  }

  private Optional<Stop> stop() {
    if (Duration.between(now, own).abs().compareTo(policy.clockTolerance()) > 0) {
      return Optional.of(new Stop.ClocksApart(now, own));
    }
    var percent = policy.maxPercent();
    return percent != null && 100L * eligible > (long) percent * stats.total()
        ? Optional.of(new Stop.TooMany(eligible, stats.total(), percent))
        : Optional.empty();
  }

  /** Why a session that was read again stays now; empty where it may go as it is. */
  static Optional<DeleteResult> stays(Policy policy, Session fresh, Instant now) {
    return policy.judge(fresh, now) instanceof Verdict.Keep keep
        ? Optional.of(
            new DeleteResult(Status.CHANGED, keep.reason().name().toLowerCase(Locale.ROOT)))
        : Optional.empty();
  }

  private static <T> void keepUpTo(int most, PriorityQueue<T> queue, T element) {
    queue.add(element);
    if (queue.size() > most) {
      queue.remove();
    }
  }
}
