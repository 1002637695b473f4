package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes: plans, deletes what the plan says, and waits until it is gone. */
public final class Pruner {
  private static final Logger logger = LoggerFactory.getLogger(Pruner.class);
  private static final int LISTS = 3;

  private final Sessions sessions;
  private final Dependents workloads;
  private final Rules rules;
  private final Limits limits;
  private final Pace pace;
  private final Journal journal;
  private final StopSignal stop;
  private final InstantSource clock;

  /**
   * A pruner that also waits for the Jobs and pods of what it deleted.
   *
   * @param api where Jobs and pods are
   * @param namespace that they are in
   */
  public static Pruner of(
      Sessions sessions,
      KubernetesApi api,
      String namespace,
      LeakedJobPolicy leaked,
      Rules rules,
      Limits limits,
      Pace pace,
      Journal journal,
      StopSignal stop,
      InstantSource clock) {
    var workloads =
        new Workloads(api, namespace, new LeakedJobs(api, namespace, sessions, leaked), stop);
    return new Pruner(sessions, workloads, rules, limits, pace, journal, stop, clock);
  }

  Pruner(
      Sessions sessions,
      Dependents workloads,
      Rules rules,
      Limits limits,
      Pace pace,
      Journal journal,
      StopSignal stop,
      InstantSource clock) {
    this.sessions = sessions;
    this.workloads = workloads;
    this.rules = rules;
    this.limits = limits;
    this.pace = pace;
    this.journal = journal;
    this.stop = stop;
    this.clock = clock;
  }

  /**
   * What a run would delete now. Deletes nothing.
   *
   * @throws ApiFailure where the sessions cannot be listed
   */
  public Plan plan() {
    for (var listed = 1; ; listed++) {
      try {
        return planOnce();
      } catch (ApiFailure e) {
        // 410: the list grew too old while it was read. What was selected of it is thrown away.
        if (e.code() != 410 || listed == LISTS) {
          throw e;
        }
      }
    }
  }

  /**
   * One run.
   *
   * @param armed false to report only
   * @param wait for what to wait afterwards
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   */
  public PruneReport run(boolean armed, Wait wait) {
    var begin = clock.instant();
    var run = UUID.randomUUID().toString();
    var plan = plan();
    if (plan.stop().isPresent()) {
      logger.error("prune {}: stopped, nothing deleted: {}", run, plan.stop().get().message());
      return report(run, plan, Ending.STOPPED, List.of(), begin);
    }
    if (!armed) {
      plan.entries().forEach(entry -> logWouldDelete(run, entry));
      logger.info(
          "prune {}: would delete {} of {} sessions ({} eligible); not armed (prune.armed)",
          run,
          plan.entries().size(),
          plan.census().total(),
          plan.eligible());
      return report(run, plan, Ending.REPORTED, List.of(), begin);
    }
    return finished(run, plan, execute(run, plan, wait), begin);
  }

  /**
   * Carries out a saved plan: of its sessions, those that are still the same and that the rules
   * still choose. Each goes only as it was saved, by uid and resourceVersion.
   *
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   */
  public PruneReport apply(PlanFile saved, Wait wait) {
    var begin = clock.instant();
    var run = UUID.randomUUID().toString();
    var review = new Review(rules, saved.entries());
    sessions.list(review);
    var stopped = limits.clocksApart(review.now(), begin);
    var chosen = new ArrayList<Plan.Entry>();
    var deletions = new ArrayList<Deletion>();
    if (stopped.isEmpty()) {
      for (var entry : saved.entries()) {
        review
            .settled(entry)
            .ifPresentOrElse(
                outcome -> deletions.add(end(run, entry, outcome, begin)), () -> chosen.add(entry));
      }
    }
    var plan = new Plan(saved.at(), chosen, chosen.size(), review.census(), stopped);
    if (stopped.isPresent()) {
      logger.error("prune {}: stopped, nothing deleted: {}", run, stopped.get().message());
      return report(run, plan, Ending.STOPPED, List.of(), begin);
    }
    deletions.addAll(execute(run, plan, wait));
    return finished(run, plan, deletions, begin);
  }

  /** Carries out a plan: all deletions first, then one wait for all that belongs to them. */
  List<Deletion> execute(String run, Plan plan, Wait wait) {
    var begins = new ConcurrentHashMap<Plan.Entry, Instant>();
    var ended = new ConcurrentLinkedQueue<Deletion>();
    var accepted = new ConcurrentLinkedQueue<Plan.Entry>();
    var dependents = wait.sessionsAlone() ? Dependents.NONE : workloads;
    dependents.note(plan.entries().stream().map(Plan.Entry::session).toList());
    var end = System.nanoTime() + wait.deadline().toNanos();
    var deleter =
        new Deleter(
            sessions,
            rules,
            new TokenBucket(pace.perSecond(), System::nanoTime),
            wait.sessionsAlone() ? stopAt(end) : stop,
            plan.at());
    inParallel(
        plan.entries(),
        entry -> {
          var begin = clock.instant();
          begins.put(entry, begin);
          switch (deleter.delete(entry.session())) {
            case Deleter.Step.Marked _ -> accepted.add(entry);
            case Deleter.Step.End(Outcome.Gone _) -> accepted.add(entry);
            case Deleter.Step.End(Outcome outcome) -> ended.add(end(run, entry, outcome, begin));
            case Deleter.Step.Again again -> throw new IllegalStateException(again.reason());
          }
        });
    var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    var remaining = awaitGone(accepted, dependents, wait.sessionsAlone() ? left : wait.deadline());
    for (var entry : accepted) {
      var holding = remaining.get(entry.session());
      var outcome = holding == null ? new Outcome.Gone() : new Outcome.Remaining(holding);
      ended.add(end(run, entry, outcome, begins.getOrDefault(entry, plan.at())));
    }
    return List.copyOf(ended);
  }

  /** Before a restart, deleting and waiting together have one deadline. */
  private StopSignal stopAt(long end) {
    return new StopSignal(() -> !stop.isStopped() && System.nanoTime() < end);
  }

  /** First the sessions, then what belonged to those that are gone; all within one deadline. */
  private Map<Session, String> awaitGone(
      Iterable<Plan.Entry> accepted, Dependents dependents, Duration deadline) {
    var waiting = new ArrayList<Session>();
    accepted.forEach(entry -> waiting.add(entry.session()));
    if (waiting.isEmpty()) {
      return Map.of();
    }
    var end = System.nanoTime() + deadline.toNanos();
    try {
      var remaining = new HashMap<>(sessions.awaitGone(waiting, deadline));
      var gone = waiting.stream().filter(session -> !remaining.containsKey(session)).toList();
      var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      remaining.putAll(dependents.awaitGone(gone, left));
      return remaining;
    } catch (ApiFailure e) {
      var unknown = new HashMap<Session, String>();
      waiting.forEach(s -> unknown.put(s, "could not be watched: " + e.getMessage()));
      return unknown;
    }
  }

  private Plan planOnce() {
    var selection = new Selection(rules, limits);
    sessions.list(selection);
    return selection.plan(clock.instant());
  }

  private Deletion end(String run, Plan.Entry entry, Outcome outcome, Instant begin) {
    var deletion = new Deletion(entry, outcome, Duration.between(begin, clock.instant()));
    journal.record(run, deletion);
    return deletion;
  }

  private PruneReport finished(String run, Plan plan, List<Deletion> deletions, Instant begin) {
    var untried = deletions.stream().anyMatch(d -> d.outcome() instanceof Outcome.NotTried);
    var report = report(run, plan, untried ? Ending.INTERRUPTED : Ending.DONE, deletions, begin);
    logger.info(
        "prune {}: {} of {} sessions gone, {} remaining, {} failed, {} eligible",
        run,
        report.count(Outcome.Gone.class),
        plan.census().total(),
        report.count(Outcome.Remaining.class),
        report.count(Outcome.Failed.class),
        plan.eligible());
    return report;
  }

  private PruneReport report(
      String run, Plan plan, Ending ending, List<Deletion> deletions, Instant begin) {
    return new PruneReport(run, plan, ending, deletions, Duration.between(begin, clock.instant()));
  }

  private static void logWouldDelete(String run, Plan.Entry entry) {
    var session = entry.session();
    logger.info(
        "prune {}: would delete {} uid {}: {}, age {}",
        run,
        session.reference(),
        session.uid(),
        entry.verdict().rule(),
        entry.verdict().age());
  }

  private void inParallel(List<Plan.Entry> entries, Consumer<Plan.Entry> work) {
    var workers = Executors.newFixedThreadPool(pace.workers(), Thread.ofVirtual().factory());
    try (workers) {
      var tasks = new ArrayList<Future<?>>();
      entries.forEach(entry -> tasks.add(workers.submit(() -> work.accept(entry))));
      tasks.forEach(Pruner::join);
    }
  }

  private static void join(Future<?> task) {
    try {
      task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a deletion ended unexpectedly", e.getCause());
    }
  }
}
