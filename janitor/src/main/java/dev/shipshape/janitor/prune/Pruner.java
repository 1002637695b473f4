package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.service.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes: lists sessions, makes a plan, executes it, verifies the deletions, reports. */
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
    this.executor = new DeletionExecutor(throughput, archive, audit, cancellation);
    this.waiter = new DeletionWaiter(throughput.pause(), cancellation);
  }

  /**
   * Lists, plans, and sends all requests to delete. {@link #verify} waits until the objects are
   * gone, which may take long and must not delay the next run.
   *
   * @param armed false to report only
   * @throws KubernetesClientException if the sessions cannot be listed; nothing was deleted then
   */
  public RunReport run(boolean armed) {
    var begin = clock.instant();
    var plan = plan();
    if (plan.ending() == Ending.STOPPED) {
      return plan.ended(Ending.STOPPED, since(begin));
    }
    if (cancellation.isCancelled() || !armed) {
      var ending = cancellation.isCancelled() ? Ending.INTERRUPTED : Ending.REPORTED;
      return plan.ended(ending, since(begin));
    }
    var deletions = executor.execute(plan);
    var untried = deletions.stream().anyMatch(each -> each.result().status() == Status.NOT_TRIED);
    // A deletion is missing if its audit line could not be written, or after OutOfMemoryError.
    var isComplete = deletions.size() == plan.deletions().size() && !untried;
    var ending = isComplete ? Ending.DONE : Ending.INTERRUPTED;
    return plan.with(deletions).ended(ending, since(begin));
  }

  /**
   * Waits until the deleted sessions of a run, their Jobs and pods are gone. Reports a Job that the
   * operator leaks, but does not delete it. After a cancellation, only what was recorded counts.
   *
   * @return the report with the results; a session with an object left is {@code REMAINING}, after
   *     a cancellation {@code TERMINATING}
   */
  public RunReport verify(RunReport report, Duration deadline) {
    var end = System.nanoTime() + deadline.toNanos();
    var awaited = awaitSessions(report, deadline);
    var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    var gone =
        awaited.deletions().stream()
            .filter(each -> each.result().status() == Status.GONE)
            .map(Deletion::session)
            .toList();
    var remaining = waiter.await(gone, left, workloads::findRemaining, _ -> {});
    if (cancellation.isCancelled()) {
      // The wait was cut short: the operator may be deleting them at this moment.
      return awaited;
    }
    return awaited.with(
        awaited.deletions().stream().map(each -> withRemaining(awaited, each, remaining)).toList());
  }

  /**
   * Returns what a run would delete now. Deletes nothing.
   *
   * @throws KubernetesClientException if the sessions cannot be listed, or after a cancellation
   */
  public RunReport plan() {
    try {
      var list = sessions.get();
      // Many slow pages would hold up the end of the process, and with it the Lease.
      var listed = list.sessions().peek(_ -> requireNotCancelled());
      return Planner.plan(policy, new SessionList(list.store(), list.serverTime(), listed), clock);
    } catch (KubernetesClientException e) {
      // Also if the continue token of the list has expired (410): the next run lists again.
      throw new KubernetesClientException(
          "the sessions cannot be listed: " + ApiErrors.reason(e), e.getCode(), null);
    }
  }

  /** Waits until the sessions are gone, and records the result of each at once. */
  RunReport awaitSessions(RunReport report, Duration deadline) {
    var pending =
        report.deletions().stream()
            .filter(each -> each.result().status() == Status.TERMINATING)
            .collect(Collectors.toMap(Deletion::session, Function.identity()));
    if (pending.isEmpty()) {
      return report;
    }
    var store = Objects.requireNonNull(report.store(), "a report that was read from JSON");
    var ended = new HashMap<Session, Deletion>();
    waiter
        .await(
            pending.keySet(),
            deadline,
            store::findRemaining,
            session -> ended.put(session, end(report, pending, session, Status.GONE, "")))
        .forEach(
            (session, reason) -> {
              // A wait that was cut short proves nothing.
              var status = cancellation.isCancelled() ? Status.TERMINATING : Status.REMAINING;
              ended.put(session, end(report, pending, session, status, reason));
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
    var deletion = Objects.requireNonNull(pending.get(session)).with(result);
    audit.end(report.run(), deletion);
    return deletion;
  }

  private static Deletion withRemaining(
      RunReport report, Deletion deletion, Map<Session, String> remaining) {
    var reasons = remaining.get(deletion.session());
    if (reasons == null) {
      return deletion;
    }
    logger.warn(
        "prune {}: {} uid {} is recorded as gone, but remaining: {}",
        report.run(),
        deletion.session().reference(),
        deletion.session().uid(),
        reasons);
    return deletion.with(new DeleteResult(Status.REMAINING, reasons));
  }

  private void requireNotCancelled() {
    if (cancellation.isCancelled()) {
      throw new KubernetesClientException("interrupted");
    }
  }

  private Duration since(Instant begin) {
    return Duration.between(begin, clock.instant());
  }
}
