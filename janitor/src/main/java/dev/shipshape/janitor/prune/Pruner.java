package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
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
  private final Rules rules;
  private final Limits limits;
  private final Pace pace;
  private final Journal journal;
  private final StopSignal stop;
  private final InstantSource clock;

  public Pruner(
      Sessions sessions,
      Rules rules,
      Limits limits,
      Pace pace,
      Journal journal,
      StopSignal stop,
      InstantSource clock) {
    this.sessions = sessions;
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
   * @param deadline how long to wait until deleted sessions are gone
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   */
  public PruneReport run(boolean armed, Duration deadline) {
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
    var deletions = execute(run, plan, deadline);
    var ending =
        deletions.stream().anyMatch(d -> d.outcome() instanceof Outcome.NotTried)
            ? Ending.INTERRUPTED
            : Ending.DONE;
    var report = report(run, plan, ending, deletions, begin);
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

  /** Carries out a plan: all deletions first, then one wait for all that are not gone at once. */
  List<Deletion> execute(String run, Plan plan, Duration deadline) {
    var deleter =
        new Deleter(
            sessions, rules, new TokenBucket(pace.perSecond(), System::nanoTime), stop, plan.at());
    var marked = new ConcurrentLinkedQueue<Pending>();
    var ended = new ConcurrentLinkedQueue<Deletion>();
    inParallel(
        plan.entries(),
        entry -> {
          var begin = clock.instant();
          switch (deleter.delete(entry.session())) {
            case Deleter.Step.End end -> ended.add(end(run, entry, end.outcome(), begin));
            case Deleter.Step.Marked _ -> marked.add(new Pending(entry, begin));
            case Deleter.Step.Again again -> throw new IllegalStateException(again.reason());
          }
        });
    var remaining = awaitGone(marked, deadline);
    for (var pending : marked) {
      var holding = remaining.get(pending.entry().session());
      var outcome = holding == null ? new Outcome.Gone() : new Outcome.Remaining(holding);
      ended.add(end(run, pending.entry(), outcome, pending.begin()));
    }
    return List.copyOf(ended);
  }

  private record Pending(Plan.Entry entry, Instant begin) {}

  private Map<Session, String> awaitGone(Iterable<Pending> marked, Duration deadline) {
    var waiting = new ArrayList<Session>();
    marked.forEach(pending -> waiting.add(pending.entry().session()));
    if (waiting.isEmpty()) {
      return Map.of();
    }
    try {
      return sessions.awaitGone(waiting, deadline);
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
