package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.prune.SessionJobs.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run whose requests have been sent, and what follows it: to see that what it deleted is gone,
 * with its Jobs and pods. That may take long and holds up no other run. For one thread at a time.
 */
public final class PruneRun {
  private static final Logger logger = LoggerFactory.getLogger(PruneRun.class);

  private final Pruner pruner;
  private final List<Workload> workloads;
  private PruneReport report;

  /**
   * @param workloads what belongs to the sessions of the plan
   */
  PruneRun(Pruner pruner, PruneReport report, List<Workload> workloads) {
    this.pruner = pruner;
    this.report = report;
    this.workloads = workloads;
  }

  /** What it has done so far; a deletion is {@code TERMINATING} while that is not seen. */
  public PruneReport report() {
    return report;
  }

  /**
   * Waits until the sessions are gone, and records each as soon as it is.
   *
   * @return the report as it is then
   */
  public PruneReport awaitSessions(Duration deadline) {
    var pending =
        report.deletions().stream()
            .filter(Deletion::isPending)
            .collect(Collectors.toMap(each -> each.entry().session(), Function.identity()));
    if (pending.isEmpty()) {
      return report;
    }
    var ended = new LinkedHashMap<Session, Deletion>();
    pruner
        .waiter()
        .await(
            pending.keySet(),
            deadline,
            sessions -> pruner.stillThere(report.plan().store(), sessions),
            session -> ended.put(session, end(pending, session, new DeleteResult(Status.GONE))))
        .forEach(
            (session, unseen) -> {
              var holding = unseen.isEmpty() ? holding(session) : unseen;
              var remaining = new DeleteResult(Status.REMAINING, holding);
              ended.put(session, end(pending, session, remaining));
            });
    report =
        report.with(
            report.deletions().stream()
                .map(each -> ended.getOrDefault(each.entry().session(), each))
                .toList());
    return report;
  }

  /**
   * Waits until all that the run deleted is gone, with its Jobs and pods. A Job that the operator
   * leaks is reported, and left.
   *
   * @return the report as it is then: a session of which something is left is {@code REMAINING}
   */
  public PruneReport awaitAll(Duration deadline) {
    var end = System.nanoTime() + deadline.toNanos();
    awaitSessions(deadline);
    var gone = report.deletions().stream().filter(each -> each.result().status() == Status.GONE);
    var sessions = gone.map(each -> each.entry().session()).collect(Collectors.toSet());
    var ours = workloads.stream().filter(each -> sessions.contains(each.session())).toList();
    var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    tellHanging(pruner.waiter().await(ours, left, pruner.jobs()::stillThere, _ -> {}));
    return report;
  }

  private void tellHanging(Map<Workload, String> hanging) {
    if (hanging.isEmpty()) {
      return;
    }
    var bySession = new LinkedHashMap<Session, String>();
    hanging.forEach(
        (workload, holding) ->
            bySession.merge(
                workload.session(), workload + ": " + holding, (one, other) -> one + "; " + other));
    bySession.forEach(
        (session, holding) ->
            logger.warn(
                "prune {}: {} uid {} is recorded as gone, but remaining: {}",
                report.run(),
                session.reference(),
                session.uid(),
                holding));
    var deletions = new ArrayList<Deletion>();
    for (var each : report.deletions()) {
      var holding = bySession.get(each.entry().session());
      deletions.add(
          holding == null
              ? each
              : new Deletion(
                  each.entry(),
                  each.begun(),
                  new DeleteResult(Status.REMAINING, holding),
                  each.took()));
    }
    report = report.with(deletions);
  }

  private Deletion end(Map<Session, Deletion> pending, Session session, DeleteResult result) {
    return pruner.end(report.run(), Objects.requireNonNull(pending.get(session)), result);
  }

  private String holding(Session session) {
    try {
      return report.plan().store().holding(session);
    } catch (KubernetesClientException e) {
      return "could not be looked for: " + ApiErrors.reason(e);
    }
  }
}
