package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.Patience;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TimeLeft;
import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.janitor.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes: plans, deletes what the plan says, and waits until it is gone. */
public final class Pruner {
  private static final Logger logger = LoggerFactory.getLogger(Pruner.class);
  private static final int LISTS = 3;

  private final Sessions sessions;
  private final Rules rules;
  private final Limits limits;
  private final Dependents workloads;
  private final Deletions deletions;
  private final Unfinished unfinished;
  private final Journal journal;
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
        new Workloads(
            api,
            namespace,
            new LeakedJobs(api, namespace, sessions, leaked, pace, journal, clock),
            stop);
    // Only where it matters: it takes a list of Jobs.
    var marked =
        rules.pendingOlderThan() == null
            ? sessions
            : new MarkedSessions(sessions, api, namespace, stop);
    return new Pruner(marked, workloads, rules, limits, pace, journal, stop, clock);
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
    this.rules = rules;
    this.limits = limits;
    this.workloads = workloads;
    this.deletions = new Deletions(sessions, workloads, rules, pace, journal, stop, clock);
    this.unfinished = new Unfinished(sessions, workloads, journal, clock);
    this.journal = journal;
    this.clock = clock;
  }

  /**
   * What a run would delete now. Deletes nothing.
   *
   * @throws ApiFailure where the sessions cannot be listed
   */
  public Plan plan() {
    return afresh(() -> new Selection(rules, limits, clock)).plan();
  }

  /**
   * One run.
   *
   * @param armed false to report only
   * @param wait for what to wait afterwards
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   * @throws java.io.UncheckedIOException where records cannot be kept; nothing was deleted then
   */
  public PruneReport run(boolean armed, Wait wait) {
    var begin = clock.instant();
    var run = UUID.randomUUID().toString();
    var end = System.nanoTime() + wait.deadline().toNanos();
    unfinished.settle();
    var plan = wait.sessionsAlone() ? Patience.atMost(wait.deadline(), this::plan) : plan();
    if (plan.stop().isPresent()) {
      return stopped(run, plan, begin);
    }
    // Before this run's own deletions, whose Jobs are the operator's for now.
    if (!wait.sessionsAlone()) {
      workloads.sweep(run, armed, limits.maxPerRun(), wait.deadline());
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
    var left = wait.sessionsAlone() ? new Wait(true, TimeLeft.until(end)) : wait;
    return finished(run, plan, deletions.carryOut(run, plan, left, false), begin);
  }

  /**
   * Writes the records that are missing, as each run does first; for a time when none may come for
   * long. Not to be called during a run.
   *
   * @throws java.io.UncheckedIOException where records cannot be kept
   */
  public void settle() {
    try {
      unfinished.settle();
    } finally {
      // It belongs to whoever runs next, and that may be another process.
      journal.close();
    }
  }

  /** Whether the run under way has begun to delete. */
  public boolean isDeleting() {
    return deletions.areUnderWay();
  }

  /** Ends what the run under way does about Jobs and pods, above all its wait for them. */
  public void giveUpWaiting() {
    workloads.giveUp();
  }

  /**
   * What carrying out a saved plan would do now. Deletes nothing.
   *
   * @throws ApiFailure where the sessions cannot be listed
   */
  public PlanReview review(PlanFile saved) {
    return afresh(() -> new Review(rules, limits, clock, saved.entries())).result();
  }

  /**
   * Carries out a saved plan: of its sessions, those that are exactly as they were and that the
   * rules still choose.
   *
   * @throws ApiFailure where the sessions cannot be listed; nothing was deleted then
   * @throws java.io.UncheckedIOException where records cannot be kept; nothing was deleted then
   */
  public PruneReport apply(PlanFile saved, Wait wait) {
    var begin = clock.instant();
    var run = UUID.randomUUID().toString();
    unfinished.settle();
    var review = review(saved);
    var plan = review.plan();
    if (plan.stop().isPresent()) {
      return stopped(run, plan, begin);
    }
    var done = new ArrayList<>(deletions.settle(run, review.settled()));
    done.addAll(deletions.carryOut(run, plan, wait, true));
    return finished(run, plan, done, begin);
  }

  private PruneReport stopped(String run, Plan plan, Instant begin) {
    plan.stop()
        .ifPresent(
            stop -> logger.error("prune {}: stopped, nothing deleted: {}", run, stop.message()));
    return report(run, plan, Ending.STOPPED, List.of(), begin);
  }

  /** Lists into a listener, and into a new one where the list grew too old while it was read. */
  private <T extends Sessions.Listener> T afresh(Supplier<T> listeners) {
    for (var listed = 1; ; listed++) {
      var listener = listeners.get();
      try {
        sessions.list(listener);
        return listener;
      } catch (ApiFailure e) {
        if (e.code() != 410 || listed == LISTS) {
          throw e;
        }
      }
    }
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
}
