package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes a plan from a list. Holds {@code maxPerRun} and {@code keepNewest} sessions in memory. */
final class Planner {
  private static final Comparator<Session> OLDEST_FIRST =
      Comparator.<Session, Instant>comparing(s -> s.times().since().orElse(Instant.MAX))
          .thenComparing(Session::reference);

  private record Judged(Session session, Verdict verdict) {}

  private final Policy policy;
  private final SessionList list;
  private final Instant now;
  private final Instant localTime;
  private final SessionStats.Counter counter = new SessionStats.Counter();

  /** The oldest sessions to delete; a set, because a proxy may repeat a part of a list. */
  private final NavigableSet<Deletion> oldest =
      new TreeSet<>(Comparator.comparing(Deletion::session, OLDEST_FIRST));

  /** The newest complete sessions, a set for the same reason; the oldest of them comes first. */
  private final NavigableSet<Judged> newest =
      new TreeSet<>(Comparator.comparing(Judged::session, OLDEST_FIRST));

  private Planner(Policy policy, SessionList list, InstantSource clock) {
    this.policy = policy;
    this.list = list;
    this.now = list.serverTime();
    // Read together with the server's time: the list may take minutes.
    this.localTime = clock.instant();
  }

  static RunReport plan(Policy policy, SessionList list, InstantSource clock) {
    var planner = new Planner(policy, list, clock);
    list.sessions().forEach(planner::add);
    return planner.plan();
  }

  private void add(Session session) {
    var verdict = policy.judge(session, now);
    counter.count(session.state(), verdict);
    if (session.state().equals("complete")
        && Policy.isOfBatcher(session)
        && session.times().since().filter(since -> !since.isAfter(now)).isPresent()) {
      newest.add(new Judged(session, verdict));
      if (newest.size() > policy.keepNewest()) {
        newest.pollFirst();
      }
    }
    if (verdict instanceof Verdict.Prune prune) {
      oldest.add(Deletion.planned(session, prune.age()));
      if (oldest.size() > policy.maxPerRun() + policy.keepNewest()) {
        oldest.pollLast();
      }
    }
  }

  private RunReport plan() {
    newest.stream()
        .filter(each -> each.verdict() instanceof Verdict.Prune)
        .forEach(_ -> counter.countAsNewest());
    var kept = newest.stream().map(Judged::session).collect(Collectors.toSet());
    return stopIfUnsafe(RunReport.planned(list, counter.stats(), deletions(kept)));
  }

  private List<Deletion> deletions(Set<Session> kept) {
    return oldest.stream()
        .filter(each -> !kept.contains(each.session()))
        .limit(policy.maxPerRun())
        .toList();
  }

  private RunReport stopIfUnsafe(RunReport plan) {
    if (Duration.between(now, localTime).abs().compareTo(policy.clockTolerance()) > 0) {
      return plan.stopped(
          BlockReason.CLOCKS_APART,
          "the server's clock is at %s, this machine's at %s: ages are not reliable; correct the clocks"
              .formatted(now, localTime));
    }
    var stats = plan.stats();
    var percent = policy.maxPercent();
    return percent != null && 100L * stats.eligible() > (long) percent * stats.total()
        ? plan.stopped(
            BlockReason.TOO_MANY,
            "the rules choose %d of %d sessions, more than %d %%: check the rules, or raise prune.maxPercent (chart: pruning.settings.maxPercent)"
                .formatted(stats.eligible(), stats.total(), percent))
        : plan;
  }
}
