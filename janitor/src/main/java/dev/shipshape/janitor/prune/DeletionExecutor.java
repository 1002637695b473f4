package dev.shipshape.janitor.prune;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.RateLimiter;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.SessionJobs.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the sessions of a plan, several at once; what they leave behind is not its matter.
 *
 * @param archive what keeps each session before it is deleted; null for nothing
 */
record DeletionExecutor(
    Throughput throughput,
    @Nullable SessionArchive archive,
    AuditLog audit,
    CancellationToken cancellation,
    InstantSource clock) {
  private static final Logger logger = LoggerFactory.getLogger(DeletionExecutor.class);

  /** In a row, and each after the client has tried again: the rest is left for the next run. */
  private static final int MOST_FAILURES = 10;

  /** For requests under way when told to stop; well below what a pod has to end in (30 s). */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(10);

  /**
   * Deletes what the plan says.
   *
   * @param workloads what belongs to its sessions
   * @return one for each entry whose audit line could be written; one that is {@code TERMINATING}
   *     has none yet
   */
  List<Deletion> execute(String run, Plan plan, Map<Session, List<Workload>> workloads) {
    var work = new Work(plan);
    var deletions = new ConcurrentLinkedQueue<Deletion>();
    var workers = Executors.newFixedThreadPool(throughput.workers(), Thread.ofVirtual().factory());
    for (var entry : plan.entries()) {
      var children = workloads.getOrDefault(entry.session(), List.of());
      workers.execute(() -> deletions.add(delete(run, entry, children, work)));
    }
    awaitEnd(workers);
    if (work.breaker.isOpen()) {
      logger.error(
          "prune {}: stopped: {} deletions in a row failed (429, 5xx, no answer, or not archived);"
              + " the next run goes on",
          run,
          MOST_FAILURES);
    }
    return List.copyOf(deletions);
  }

  private void awaitEnd(ExecutorService workers) {
    workers.shutdown();
    try {
      while (!workers.awaitTermination(throughput.pause().toNanos(), TimeUnit.NANOSECONDS)) {
        if (cancellation.isCancelled()
            && !workers.awaitTermination(LAST_ANSWERS.toNanos(), TimeUnit.NANOSECONDS)) {
          workers.shutdownNow();
        }
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private Deletion delete(String run, Plan.Entry entry, List<Workload> children, Work work) {
    var begun = clock.instant();
    DeleteResult result;
    try {
      result = work.notArchived(entry.session(), children).orElseGet(() -> work.delete(run, entry));
    } catch (RuntimeException e) {
      // A fault of ours: one object must not end the run, and what others deleted is recorded.
      logger.error(
          "prune {}: the deletion of {} failed unexpectedly", run, entry.session().reference(), e);
      result = new DeleteResult(Status.UNKNOWN, "it failed unexpectedly: " + e);
    }
    var took = Duration.between(begun, clock.instant());
    var deletion = new Deletion(entry.session(), entry.age(), children, begun, result, took);
    if (result.status() != Status.TERMINATING) {
      audit.end(run, deletion);
    }
    return deletion;
  }

  /** One run's limits, which all workers share. */
  private final class Work {
    private final Plan plan;
    private final RateLimiter<Object> limiter =
        RateLimiter.smoothBuilder(throughput.perSecond(), Duration.ofSeconds(1)).build();
    private final CircuitBreaker<Object> breaker =
        CircuitBreaker.builder()
            .withFailureThreshold(MOST_FAILURES)
            .withDelay(Duration.ofDays(1))
            .build();

    Work(Plan plan) {
      this.plan = plan;
    }

    /** Why a session cannot be archived, and so is not deleted; empty where it is archived. */
    private Optional<DeleteResult> notArchived(Session session, List<Workload> children) {
      if (archive == null) {
        return Optional.empty();
      }
      if (cancellation.isCancelled() || breaker.isOpen()) {
        return Optional.of(new DeleteResult(Status.NOT_TRIED));
      }
      try {
        var pods = children.stream().filter(Workload::isPod).map(Workload::name).toList();
        archive.keep(plan.store(), session, pods);
        return Optional.empty();
      } catch (IOException e) {
        breaker.recordFailure();
        return Optional.of(new DeleteResult(Status.FAILED, "not archived: " + e.getMessage()));
      } catch (KubernetesClientException e) {
        breaker.recordFailure();
        return Optional.of(new DeleteResult(Status.FAILED, "not archived: " + ApiErrors.reason(e)));
      }
    }

    /** One request: what fails or has changed, the next run lists and judges again. */
    DeleteResult delete(String run, Plan.Entry entry) {
      if (!awaitTurn()) {
        return new DeleteResult(Status.NOT_TRIED);
      }
      audit.begin(run, entry);
      try {
        var result = plan.store().delete(entry.session());
        breaker.recordSuccess();
        return result;
      } catch (KubernetesClientException e) {
        var why = ApiErrors.reason(e);
        if (isRefusal(e.getCode())) {
          return new DeleteResult(Status.FAILED, why);
        }
        breaker.recordFailure();
        return unanswered(entry.session(), why);
      }
    }

    /** It may have been carried out although its answer was lost. */
    private DeleteResult unanswered(Session session, String why) {
      try {
        var found = plan.store().get(session).filter(session::isSameAs);
        if (found.isEmpty()) {
          return new DeleteResult(Status.GONE);
        }
        return found.get().marks().contains(Mark.TERMINATING)
            ? new DeleteResult(Status.TERMINATING)
            : new DeleteResult(Status.FAILED, why);
      } catch (KubernetesClientException e) {
        return new DeleteResult(Status.UNKNOWN, ApiErrors.reason(e));
      }
    }

    private boolean awaitTurn() {
      if (cancellation.isCancelled() || breaker.isOpen()) {
        return false;
      }
      try {
        limiter.acquirePermit();
        return !cancellation.isCancelled() && !breaker.isOpen();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    /** Of what was asked, and not for a fault of the server's. */
    private static boolean isRefusal(int code) {
      return code >= 400 && code < 500 && code != 429;
    }
  }
}
