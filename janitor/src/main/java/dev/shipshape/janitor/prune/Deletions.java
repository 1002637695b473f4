package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
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

/** Carries out plans: all deletions first, then one wait for all that belongs to them. */
final class Deletions {
  private final Sessions sessions;
  private final Dependents workloads;
  private final Rules rules;
  private final Pace pace;
  private final Journal journal;
  private final StopSignal stop;
  private final InstantSource clock;

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
    var begins = new ConcurrentHashMap<Plan.Entry, Instant>();
    var ended = new ConcurrentLinkedQueue<Deletion>();
    var accepted = new ConcurrentLinkedQueue<Plan.Entry>();
    var dependents = wait.sessionsAlone() ? Dependents.NONE : workloads;
    dependents.note(plan.entries().stream().map(Plan.Entry::session).toList());
    var end = System.nanoTime() + wait.deadline().toNanos();
    var deleter = deleter(wait.sessionsAlone() ? stopAt(end) : stop, plan.at(), exactly);
    var broken =
        inParallel(
            plan.entries(),
            entry -> {
              var begin = clock.instant();
              begins.put(entry, begin);
              switch (deleter.delete(
                  entry.session(), () -> journal.begin(new Intent.OfSession(run, begin, entry)))) {
                case Deleter.Step.Marked<Session> _ -> accepted.add(entry);
                case Deleter.Step.End<Session>(Outcome.Gone _) -> accepted.add(entry);
                case Deleter.Step.End<Session>(Outcome outcome) ->
                    ended.add(end(run, entry, outcome, begin));
                case Deleter.Step.Again<Session> again ->
                    throw new IllegalStateException(again.reason());
              }
            });
    var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    var remaining =
        awaitGone(run, accepted, dependents, wait.sessionsAlone() ? left : wait.deadline());
    for (var entry : accepted) {
      var holding = remaining.get(entry.session());
      var outcome = holding == null ? new Outcome.Gone() : new Outcome.Remaining(holding);
      ended.add(end(run, entry, outcome, begins.getOrDefault(entry, plan.at())));
    }
    if (broken.isPresent()) {
      throw new IllegalStateException("a deletion ended unexpectedly", broken.get());
    }
    return List.copyOf(ended);
  }

  private Deleter<Session> deleter(StopSignal until, Instant now, boolean exactly) {
    var bucket = new TokenBucket(pace.perSecond(), System::nanoTime);
    return new Deleter<>(new AgedSessions(sessions, rules, now, exactly), bucket, until);
  }

  /** Before a restart, deleting and waiting together have one deadline. */
  private StopSignal stopAt(long end) {
    return stop.orUnless(() -> System.nanoTime() < end);
  }

  /** First the sessions, then what belonged to those that are gone; all within one deadline. */
  private Map<Session, String> awaitGone(
      String run, Collection<Plan.Entry> accepted, Dependents dependents, Duration deadline) {
    var waiting = accepted.stream().map(Plan.Entry::session).toList();
    if (waiting.isEmpty()) {
      return Map.of();
    }
    var end = System.nanoTime() + deadline.toNanos();
    var remaining = new HashMap<>(sessions.awaitGone(waiting, deadline));
    var gone = waiting.stream().filter(session -> !remaining.containsKey(session)).toList();
    var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    remaining.putAll(dependents.awaitGone(run, gone, left));
    return remaining;
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
