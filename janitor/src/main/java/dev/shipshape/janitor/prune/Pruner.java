package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes: lists, plans, deletes what the plan says, verifies that it is gone, reports. */
public final class Pruner {
  private static final Logger logger = LoggerFactory.getLogger(Pruner.class);

  private final Supplier<SessionList> sessions;
  private final Policy policy;
  private final AuditLog audit;
  private final CancellationToken cancellation;
  private final InstantSource clock;
  private final SessionJobs workloads;
  private final DeletionExecutor executor;
  private final DeletionWaiter waiter;

  /**
   * @param sessions lists them all
   * @param namespace where the sessions' Jobs and pods are
   * @param archive what keeps each session before it is deleted; null for nothing
   */
  public Pruner(
      Supplier<SessionList> sessions,
      KubernetesClient client,
      String namespace,
      Policy policy,
      Throughput throughput,
      @Nullable SessionArchive archive,
      AuditLog audit,
      CancellationToken cancellation,
      InstantSource clock) {
    this.sessions = sessions;
    this.policy = policy;
    this.audit = audit;
    this.cancellation = cancellation;
    this.clock = clock;
    this.workloads = new SessionJobs(client, namespace);
    this.executor = new DeletionExecutor(throughput, archive, audit, cancellation, clock);
    this.waiter = new DeletionWaiter(throughput.pause(), cancellation);
  }

  /**
   * One run: lists, plans, and sends all requests to delete. {@link #verify} does the rest, which
   * may take long and holds up no other run.
   *
   * @param armed false to report only
   * @throws KubernetesClientException if the sessions cannot be listed; nothing was deleted then
   */
  public RunReport run(boolean armed) {
    var begin = clock.instant();
    var run = UUID.randomUUID().toString();
    var plan = plan();
    if (plan.stop().isPresent() || cancellation.isCancelled() || !armed) {
      var planned = plan.entries().stream().map(each -> Deletion.planned(each, begin)).toList();
      return logged(RunReport.of(run, plan, endingWithoutDeletion(plan), planned, since(begin)));
    }
    var children = workloads.of(plan.sessions());
    var deletions = executor.execute(run, plan, children);
    var untried = deletions.stream().anyMatch(each -> each.result().status() == Status.NOT_TRIED);
    // One is missing if its audit line could not be written, or if memory ran out.
    var isComplete = deletions.size() == plan.entries().size() && !untried;
    var ending = isComplete ? Ending.DONE : Ending.INTERRUPTED;
    return logged(RunReport.of(run, plan, ending, deletions, since(begin)));
  }

  /**
   * Waits until all that a run deleted is gone, with its Jobs and pods. A Job that the operator
   * leaks is reported, and left.
   *
   * @return the report as it is then: a session of which something is left is {@code REMAINING}
   */
  public RunReport verify(RunReport report, Duration deadline) {
    var end = System.nanoTime() + deadline.toNanos();
    var seen = awaitSessions(report, deadline);
    var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    var children =
        seen.deletions().stream()
            .filter(each -> each.result().status() == Status.GONE)
            .flatMap(each -> each.workloads().stream())
            .toList();
    var hanging = waiter.await(children, left, workloads::stillThere, _ -> {});
    return seen.with(
        seen.deletions().stream().map(each -> withHanging(seen, each, hanging)).toList());
  }

  /**
   * What a run would delete now. Deletes nothing.
   *
   * @throws KubernetesClientException if the sessions cannot be listed
   */
  public Plan plan() {
    try {
      return Planner.plan(policy, sessions.get(), clock);
    } catch (KubernetesClientException e) {
      // Also if a list has grown too old while it was read: the next run begins it again.
      throw new KubernetesClientException(
          "the sessions cannot be listed: " + ApiErrors.reason(e), e.getCode(), null);
    }
  }

  /** Waits until the sessions are gone, and records each as soon as it is. */
  RunReport awaitSessions(RunReport report, Duration deadline) {
    var pending =
        report.deletions().stream()
            .filter(each -> each.result().status() == Status.TERMINATING)
            .collect(Collectors.toMap(Deletion::session, Function.identity()));
    if (pending.isEmpty()) {
      return report;
    }
    var store = Objects.requireNonNull(report.store(), "only a report of this process is verified");
    var ended = new HashMap<Session, Deletion>();
    waiter
        .await(
            pending.keySet(),
            deadline,
            asked ->
                store.stillThere(asked).stream()
                    .collect(Collectors.toMap(Function.identity(), _ -> "")),
            session -> ended.put(session, end(report, pending, session, Status.GONE, "")))
        .forEach(
            (session, unseen) -> {
              var holding = unseen.isEmpty() ? holding(store, session) : unseen;
              ended.put(session, end(report, pending, session, Status.REMAINING, holding));
            });
    return report.with(
        report.deletions().stream().map(each -> ended.getOrDefault(each.session(), each)).toList());
  }

  private Deletion end(
      RunReport report,
      Map<Session, Deletion> pending,
      Session session,
      Status status,
      String detail) {
    var result = new DeleteResult(status, detail);
    var deletion = Objects.requireNonNull(pending.get(session)).ended(result, clock.instant());
    audit.end(report.run(), deletion);
    return deletion;
  }

  private static Deletion withHanging(
      RunReport report, Deletion deletion, Map<SessionJobs.Workload, String> hanging) {
    var holding =
        deletion.workloads().stream()
            .filter(hanging::containsKey)
            .map(workload -> workload + ": " + hanging.get(workload))
            .collect(Collectors.joining("; "));
    if (holding.isEmpty()) {
      return deletion;
    }
    logger.warn(
        "prune {}: {} uid {} is recorded as gone, but remaining: {}",
        report.run(),
        deletion.session().reference(),
        deletion.session().uid(),
        holding);
    return new Deletion(
        deletion.session(),
        deletion.age(),
        deletion.workloads(),
        deletion.begun(),
        new DeleteResult(Status.REMAINING, holding),
        deletion.took());
  }

  private static String holding(SessionStore store, Session session) {
    try {
      return store.holding(session);
    } catch (KubernetesClientException e) {
      return "could not be looked for: " + ApiErrors.reason(e);
    }
  }

  private Ending endingWithoutDeletion(Plan plan) {
    return plan.stop().isPresent()
        ? Ending.STOPPED
        : cancellation.isCancelled() ? Ending.INTERRUPTED : Ending.REPORTED;
  }

  private Duration since(Instant begin) {
    return Duration.between(begin, clock.instant());
  }

  private static RunReport logged(RunReport report) {
    switch (report.ending()) {
      // Only who keeps the last report knows whether that is new.
      case STOPPED -> {}
      case REPORTED ->
          logger.info(
              "prune {}: would delete {} of {} sessions ({} eligible); not armed (prune.armed)",
              report.run(),
              report.deletions().size(),
              report.stats().total(),
              report.stats().eligible());
      case DONE, INTERRUPTED, FAILED ->
          logger.info(
              "prune {}: of {} sessions, {} eligible: {}",
              report.run(),
              report.stats().total(),
              report.stats().eligible(),
              report.results());
    }
    return report;
  }
}
