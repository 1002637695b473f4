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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** Those of a saved plan that are still there, by reference. */
  private final Map<String, Session> found = new HashMap<>();

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

  /**
   * Looks at a saved plan's sessions as they are now. A file can be old, or edited: it proves
   * nothing by itself, so each of its sessions must still be there, exactly as it was, and must be
   * chosen by the policy today; and what stops a run or keeps the newest does so here too. Only how
   * many go at once the plan itself says.
   */
  static PlanReview review(
      Policy policy, SessionList list, InstantSource clock, List<Entry> saved) {
    var planner = new Planner(policy, list, clock);
    var names = new HashSet<String>();
    saved.forEach(entry -> names.add(entry.session().reference()));
    list.sessions()
        .forEach(
            session -> {
              planner.add(session);
              if (names.contains(session.reference())) {
                planner.found.put(session.reference(), session);
              }
            });
    return planner.review(saved);
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

  private PlanReview review(List<Entry> saved) {
    var today = plan();
    var standing = new ArrayList<Entry>();
    var settled = new ArrayList<PlanReview.Settled>();
    for (var entry : saved) {
      settled(entry)
          .ifPresentOrElse(
              result -> settled.add(new PlanReview.Settled(entry, result)),
              () -> standing.add(entry));
    }
    var plan = new Plan(list.store(), now, standing, standing.size(), today.stats(), today.stop());
    return new PlanReview(plan, settled);
  }

  /** What became of an entry that needs no request; empty where it is to be deleted. */
  private Optional<DeleteResult> settled(Entry saved) {
    var session = found.get(saved.session().reference());
    if (session == null) {
      return Optional.of(new DeleteResult(Status.ALREADY_GONE));
    }
    if (!session.isSameAs(saved.session())) {
      return Optional.of(new DeleteResult(Status.REPLACED));
    }
    if (newest.contains(session)) {
      return Optional.of(changed(Reason.NEWEST));
    }
    return stays(policy, saved.session(), session, now, true);
  }

  /**
   * Why a session that was read again stays now; empty where it may go as it is.
   *
   * @param exactly only as it was seen first, whatever the policy says of it now
   */
  static Optional<DeleteResult> stays(
      Policy policy, Session seen, Session fresh, Instant now, boolean exactly) {
    if (policy.judge(fresh, now) instanceof Verdict.Keep keep) {
      return Optional.of(changed(keep.reason()));
    }
    return exactly && !fresh.equals(seen)
        ? Optional.of(new DeleteResult(Status.CHANGED, "not as it was when the plan was saved"))
        : Optional.empty();
  }

  private static DeleteResult changed(Reason reason) {
    return new DeleteResult(Status.CHANGED, reason.name().toLowerCase(Locale.ROOT));
  }

  private static <T> void keepUpTo(int most, PriorityQueue<T> queue, T element) {
    queue.add(element);
    if (queue.size() > most) {
      queue.remove();
    }
  }
}
