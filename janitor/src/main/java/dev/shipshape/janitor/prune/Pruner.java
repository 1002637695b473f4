package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.janitor.prune.SessionJobs.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes: plans, deletes what the plan says, and waits until it is gone. */
public final class Pruner {
  private static final Logger logger = LoggerFactory.getLogger(Pruner.class);
  private static final int LISTS = 3;

  private final SessionStore sessions;
  private final Policy policy;
  private final AuditLog audit;
  private final CancellationToken cancellation;
  private final InstantSource clock;
  private final SessionJobs jobs;
  private final DeletionExecutor executor;
  private final DeletionWaiter waiter;

  /**
   * @param namespace where the sessions' Jobs and pods are
   * @param archive what keeps each session before it is deleted; null for nothing
   */
  public Pruner(
      SessionStore sessions,
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
    this.jobs = new SessionJobs(client, namespace);
    this.executor = new DeletionExecutor(policy, throughput, archive, audit, cancellation, clock);
    this.waiter = new DeletionWaiter(throughput.pause(), cancellation);
  }

  /**
   * What a run would delete now. Deletes nothing.
   *
   * @throws KubernetesClientException where the sessions cannot be listed
   */
  public Plan plan() {
    for (var lists = 1; ; lists++) {
      try {
        return Planner.plan(policy, sessions.list(), clock);
      } catch (KubernetesClientException e) {
        // A list that grew too old while it was read is void, and read again.
        if (e.getCode() != HttpURLConnection.HTTP_GONE || lists == LISTS) {
          throw new KubernetesClientException(
              "the sessions cannot be listed: " + ApiErrors.reason(e), e.getCode(), null);
        }
      }
    }
  }

  /**
   * Says of each session what the policy says of it; the limits on a whole run are left out.
   *
   * @throws KubernetesClientException where the sessions cannot be listed; what was said is void
   */
  public void judge(BiConsumer<Session, Verdict> each) {
    var list = sessions.list();
    list.sessions()
        .forEach(session -> each.accept(session, policy.judge(session, list.serverTime())));
  }

  /**
   * One run: sends all requests to delete. What follows is the caller's to wait for.
   *
   * @param armed false to report only
   * @throws KubernetesClientException where the sessions cannot be listed; nothing was deleted then
   */
  public PruneRun run(boolean armed) {
    var begin = clock.instant();
    var run = UUID.randomUUID().toString();
    var plan = plan();
    if (plan.stop().isPresent()) {
      return stopped(run, plan, begin);
    }
    if (cancellation.isCancelled()) {
      return ended(run, plan, Ending.INTERRUPTED, List.of(), List.of(), begin);
    }
    if (!armed) {
      logWouldDelete(run, plan);
      return ended(run, plan, Ending.REPORTED, List.of(), List.of(), begin);
    }
    var workloads = jobs.of(plan.entries().stream().map(Plan.Entry::session).toList());
    return done(run, plan, executor.execute(run, plan, workloads), workloads, begin);
  }

  SessionJobs jobs() {
    return jobs;
  }

  DeletionWaiter waiter() {
    return waiter;
  }

  /** Records a deletion's end. */
  Deletion end(String run, Deletion deletion, DeleteResult result) {
    audit.end(run, deletion.entry(), deletion.begun(), result);
    var took = Duration.between(deletion.begun(), clock.instant());
    return new Deletion(deletion.entry(), deletion.begun(), result, took);
  }

  /** Of these sessions, those that are listed still. */
  Map<Session, String> stillThere(SessionStore store, Collection<Session> sessions) {
    var byName = new HashMap<String, Session>();
    sessions.forEach(session -> byName.put(session.name(), session));
    var found = new HashMap<Session, String>();
    store
        .list()
        .sessions()
        .forEach(
            listed ->
                Optional.ofNullable(byName.get(listed.name()))
                    .filter(listed::isSameAs)
                    .ifPresent(session -> found.put(session, "")));
    return found;
  }

  private PruneRun stopped(String run, Plan plan, Instant begin) {
    plan.stop()
        .ifPresent(
            stop -> logger.error("prune {}: stopped, nothing deleted: {}", run, stop.message()));
    return ended(run, plan, Ending.STOPPED, List.of(), List.of(), begin);
  }

  private PruneRun done(
      String run, Plan plan, List<Deletion> deletions, List<Workload> workloads, Instant begin) {
    var untried = deletions.stream().anyMatch(d -> d.result().status() == Status.NOT_TRIED);
    var ending = untried ? Ending.INTERRUPTED : Ending.DONE;
    var pruned = ended(run, plan, ending, deletions, workloads, begin);
    var report = pruned.report();
    logger.info(
        "prune {}: {} of {} sessions gone, {} terminating, {} failed, {} eligible",
        run,
        report.count(Status.GONE),
        plan.stats().total(),
        report.count(Status.TERMINATING),
        report.count(Status.FAILED) + report.count(Status.UNKNOWN),
        plan.eligible());
    return pruned;
  }

  private PruneRun ended(
      String run,
      Plan plan,
      Ending ending,
      List<Deletion> deletions,
      List<Workload> workloads,
      Instant begin) {
    var took = Duration.between(begin, clock.instant());
    return new PruneRun(this, new PruneReport(run, plan, ending, deletions, took), workloads);
  }

  private static void logWouldDelete(String run, Plan plan) {
    logger.info(
        "prune {}: would delete {} of {} sessions ({} eligible); not armed (prune.armed)",
        run,
        plan.entries().size(),
        plan.stats().total(),
        plan.eligible());
    for (var entry : plan.entries()) {
      logger.debug(
          "prune {}: would delete {} uid {}: age {}",
          run,
          entry.session().reference(),
          entry.session().uid(),
          entry.verdict().age());
    }
  }
}
