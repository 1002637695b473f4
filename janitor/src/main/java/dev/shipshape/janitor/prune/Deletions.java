package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TimeLeft;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out plans: all deletions first, then one wait for all that belongs to them. A session is
 * recorded as soon as it is gone, for the wait for its Job may be long and the process may be
 * killed meanwhile; what hangs of it is told at the end.
 */
final class Deletions {
  private static final Logger logger = LoggerFactory.getLogger(Deletions.class);

  private final Sessions sessions;
  private final Dependents workloads;
  private final Rules rules;
  private final Pace pace;
  private final Journal journal;
  private final StopSignal stop;
  private final InstantSource clock;
  private volatile boolean underWay;

  Deletions(
      Sessions sessions,
      Dependents workloads,
      Rules rules,
      Pace pace,
      Journal journal,
      StopSignal stop,
      InstantSource clock) {
    this.sessions = sessions;
    this.workloads = workloads;
    this.rules = rules;
    this.pace = pace;
    this.journal = journal;
    this.stop = stop;
    this.clock = clock;
  }

  /** Records what needs no request. */
  List<Deletion> settle(String run, List<PlanReview.Settled> settled) {
    var now = clock.instant();
    return settled.stream().map(each -> end(run, each.entry(), each.outcome(), now)).toList();
  }

  /**
   * Deletes what the plan says, and waits until it is gone.
   *
   * @param exactly each only as the plan saw it
   * @return one for each entry
   */
  List<Deletion> carryOut(String run, Plan plan, Wait wait, boolean exactly) {
    var dependents = wait.sessionsAlone() ? Dependents.NONE : workloads;
    dependents.note(plan.entries().stream().map(Plan.Entry::session).toList());
    underWay = true;
    try {
      return carryOut(run, plan, dependents, wait, exactly);
    } finally {
      underWay = false;
    }
  }

  /** Whether deletions have begun, and are not over yet with what is waited for. */
  boolean areUnderWay() {
    return underWay;
  }

  private List<Deletion> carryOut(
      String run, Plan plan, Dependents dependents, Wait wait, boolean exactly) {
    var ended = new ConcurrentLinkedQueue<Deletion>();
    var accepted = new ConcurrentHashMap<Session, Accepted>();
    var end = System.nanoTime() + wait.deadline().toNanos();
    // Before a restart, deleting and waiting together have one deadline.
    var deleter =
        deleter(wait.sessionsAlone() ? stop.within(wait.deadline()) : stop, plan.at(), exactly);
    var broken =
        inParallel(
            plan.entries(),
            entry -> {
              var begin = clock.instant();
              switch (deleter.delete(
                  entry.session(), () -> journal.begin(new Intent.OfSession(run, begin, entry)))) {
                case Deleter.Step.Marked<Session> _ ->
                    accepted.put(entry.session(), new Accepted(run, entry, begin));
                case Deleter.Step.End<Session>(Outcome.Gone _) -> {
                  var gone = new Accepted(run, entry, begin);
                  gone.isGone();
                  accepted.put(entry.session(), gone);
                }
                case Deleter.Step.End<Session>(Outcome outcome) ->
                    ended.add(end(run, entry, outcome, begin));
                case Deleter.Step.Again<Session> again ->
                    throw new IllegalStateException(again.reason());
              }
            });
    if (deleter.hasGivenUp()) {
      logger.error(
          "prune {}: given up for now: no deletion was carried out for {} (429, 5xx or no answer)",
          run,
          pace.patience());
    }
    var left = TimeLeft.until(end);
    var remaining =
        awaitGone(run, accepted, dependents, wait.sessionsAlone() ? left : wait.deadline());
    accepted.forEach((session, each) -> ended.add(each.end(remaining.get(session))));
    if (broken.isPresent()) {
      throw new IllegalStateException("a deletion ended unexpectedly", broken.get());
    }
    return List.copyOf(ended);
  }

  private Deleter<Session> deleter(StopSignal until, Instant now, boolean exactly) {
    var bucket = new TokenBucket(pace.perSecond(), System::nanoTime);
    var aged = new AgedSessions(sessions, rules, now, exactly);
    return new Deleter<>(aged, bucket, pace.patience(), until);
  }

  /** First the sessions, then what belonged to those that are gone; all within one deadline. */
  private Map<Session, String> awaitGone(
      String run, Map<Session, Accepted> accepted, Dependents dependents, Duration deadline) {
    var waiting = List.copyOf(accepted.keySet());
    if (waiting.isEmpty()) {
      return Map.of();
    }
    var end = System.nanoTime() + deadline.toNanos();
    Consumer<Session> isGone =
        session -> Optional.ofNullable(accepted.get(session)).ifPresent(Accepted::isGone);
    var remaining = new HashMap<>(sessions.awaitGone(waiting, deadline, isGone));
    var gone = waiting.stream().filter(session -> !remaining.containsKey(session)).toList();
    var left = TimeLeft.until(end);
    remaining.putAll(dependents.awaitGone(run, gone, left));
    return remaining;
  }

  /** One whose deletion was accepted, recorded once: when it is gone, or when the wait is over. */
  private final class Accepted {
    private final String run;
    private final Plan.Entry entry;
    private final Instant begin;
    private @Nullable Deletion recorded;

    Accepted(String run, Plan.Entry entry, Instant begin) {
      this.run = run;
      this.entry = entry;
      this.begin = begin;
    }

    synchronized Deletion isGone() {
      var deletion =
          recorded == null ? Deletions.this.end(run, entry, new Outcome.Gone(), begin) : recorded;
      recorded = deletion;
      return deletion;
    }

    /**
     * @param holding why it or something of it is still there; null where all is gone
     */
    synchronized Deletion end(@Nullable String holding) {
      if (holding == null) {
        return isGone();
      }
      var outcome = new Outcome.Remaining(holding);
      if (recorded == null) {
        return Deletions.this.end(run, entry, outcome, begin);
      }
      var session = entry.session();
      logger.warn(
          "prune {}: {} uid {} is recorded as gone, but remaining: {}",
          run,
          session.reference(),
          session.uid(),
          holding);
      return new Deletion(entry, outcome, Duration.between(begin, clock.instant()));
    }
  }

  private Deletion end(String run, Plan.Entry entry, Outcome outcome, Instant begin) {
    var deletion = new Deletion(entry, outcome, Duration.between(begin, clock.instant()));
    journal.record(run, deletion);
    return deletion;
  }

  /**
   * Does all of it, whatever becomes of one: what others have deleted must still be recorded.
   *
   * @return why one broke off
   */
  private Optional<Throwable> inParallel(List<Plan.Entry> entries, Consumer<Plan.Entry> work) {
    var workers = Executors.newFixedThreadPool(pace.workers(), Thread.ofVirtual().factory());
    try (workers) {
      var tasks = new ArrayList<Future<?>>();
      entries.forEach(entry -> tasks.add(workers.submit(() -> work.accept(entry))));
      return tasks.stream().map(Deletions::failure).flatMap(Optional::stream).reduce((a, _) -> a);
    }
  }

  private static Optional<Throwable> failure(Future<?> task) {
    try {
      task.get();
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(e);
    } catch (ExecutionException e) {
      return Optional.of(e.getCause() == null ? e : e.getCause());
    }
  }
}
