package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.prune.Plan.Stop;
import dev.shipshape.janitor.prune.Verdict.Reason;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Makes a plan from sessions that come one by one. It holds no more of them than a run may delete
 * and the newest that are kept, however many come.
 */
final class Selection implements Sessions.Listener {
  private static final Comparator<Session> OLDEST_FIRST =
      Comparator.<Session, Instant>comparing(s -> s.times().since().orElse(Instant.MAX))
          .thenComparing(Session::reference);

  private final Rules rules;
  private final Limits limits;
  private final InstantSource clock;
  private final Census census = new Census();

  /** The oldest that may go; its head is the youngest of them, which gives way to an older one. */
  private final PriorityQueue<Entry> oldest =
      new PriorityQueue<>(Comparator.comparing(Entry::session, OLDEST_FIRST).reversed());

  /** The newest complete ones; its head is the oldest of them. */
  private final PriorityQueue<Session> newest = new PriorityQueue<>(OLDEST_FIRST);

  private int eligible;
  private Instant now = Instant.MIN;
  private Instant own = Instant.MIN;

  /**
   * @param clock ours, looked at together with the server's: a list may take minutes
   */
  Selection(Rules rules, Limits limits, InstantSource clock) {
    this.rules = rules;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public void begin(Instant server) {
    now = server;
    own = clock.instant();
  }

  @Override
  public void each(Session session) {
    var verdict = rules.judge(session, now);
    census.count(session, verdict, now);
    if (session.state().equals("complete")
        && rules.name().matches(session.name())
        && session.times().since().filter(since -> !since.isAfter(now)).isPresent()) {
      keepUpTo(limits.keepNewest(), newest, session);
    }
    if (verdict instanceof Verdict.Prune prune) {
      eligible++;
      keepUpTo(limits.maxPerRun() + limits.keepNewest(), oldest, new Entry(session, prune));
    }
  }

  /** The plan, once all sessions have come. */
  Plan plan() {
    var apart = limits.clocksApart(now, own);
    if (apart.isPresent()) {
      return stopped(apart.get());
    }
    var kept = newest();
    var keptEligible = 0;
    for (var session : kept) {
      if (rules.judge(session, now) instanceof Verdict.Prune) {
        keptEligible++;
        census.countKept(Reason.NEWEST);
      }
    }
    eligible -= keptEligible;
    var percent = limits.maxPercent();
    if (percent != null && 100L * eligible > (long) percent * census.total()) {
      return stopped(new Stop.TooMany(eligible, census.total(), percent));
    }
    var entries =
        oldest.stream()
            .filter(entry -> !kept.contains(entry.session()))
            .sorted(Comparator.comparing(Entry::session, OLDEST_FIRST))
            .limit(limits.maxPerRun())
            .toList();
    return new Plan(now, entries, eligible, census, Optional.empty());
  }

  /** The newest, which stay whatever the rules say of them. */
  Set<Session> newest() {
    return new HashSet<>(newest);
  }

  private Plan stopped(Stop stop) {
    return new Plan(now, List.of(), eligible, census, Optional.of(stop));
  }

  private static <T> void keepUpTo(int most, PriorityQueue<T> queue, T element) {
    queue.add(element);
    if (queue.size() > most) {
      queue.remove();
    }
  }
}
