package dev.shipshape.janitor.prune;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.RateLimiter;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.service.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the sessions of a plan concurrently. Does not wait until they, their Jobs and pods are
 * gone.
 *
 * @param archive stores each session before its deletion; null for none
 */
record DeletionExecutor(
    Throughput throughput,
    @Nullable SessionArchive archive,
    AuditLog audit,
    CancellationToken cancellation) {
  private static final Logger logger = LoggerFactory.getLogger(DeletionExecutor.class);

  /** Failures in a row, each after the client's retries, that stop the run. */
  private static final int MAX_FAILURES = 10;

  /** For running requests at shutdown; well below a pod's termination grace period (30 s). */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Deletes the sessions of the plan.
   *
   * @return one for each planned deletion whose audit lines could be written. A deletion that is
   *     {@code TERMINATING} has no result line yet
   */
  List<Deletion> execute(RunReport plan) {
    var work = new Work(plan);
    if (archive != null) {
      archive.begin();
    }
    var deletions = new ConcurrentLinkedQueue<Deletion>();
    var workers = Executors.newFixedThreadPool(throughput.workers(), Thread.ofVirtual().factory());
    for (var each : plan.deletions()) {
      workers.execute(() -> deletions.add(delete(each, work)));
    }
    awaitEnd(workers);
    if (work.breaker.isOpen()) {
      logger.error(
          "prune {}: stopped: {} deletions in a row failed (401, 429, 5xx or no answer), one with:"
              + " {}; the next run continues",
          plan.run(),
          MAX_FAILURES,
          work.lastFailure);
    }
    return List.copyOf(deletions);
  }

  private void awaitEnd(ExecutorService workers) {
    workers.shutdown();
    try {
      while (!workers.awaitTermination(throughput.pause().toNanos(), TimeUnit.NANOSECONDS)) {
        if (cancellation.isCancelled()
            && !workers.awaitTermination(SHUTDOWN_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
          workers.shutdownNow();
        }
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private Deletion delete(Deletion planned, Work work) {
    DeleteResult result;
    try {
      result = work.archive(planned).orElseGet(() -> work.delete(planned));
    } catch (RuntimeException e) {
      // A bug: it must not end the run, nor lose the records of other deletions.
      logger.error(
          "prune {}: the deletion of {} failed unexpectedly",
          work.plan.run(),
          planned.session().reference(),
          e);
      result = new DeleteResult(Status.UNKNOWN, "it failed unexpectedly: " + e);
    }
    var deletion = planned.with(result);
    if (result.status() != Status.TERMINATING) {
      audit.end(work.plan.run(), deletion);
    }
    return deletion;
  }

  /** The limits of one run, shared by all workers. */
  private final class Work {
    private final RunReport plan;
    private final SessionStore store;
    private final RateLimiter<Object> limiter =
        RateLimiter.smoothBuilder(throughput.perSecond(), Duration.ofSeconds(1)).build();
    private final CircuitBreaker<Object> breaker =
        CircuitBreaker.builder()
            .withFailureThreshold(MAX_FAILURES)
            .withDelay(Duration.ofDays(1))
            .build();
    private volatile String lastFailure = "";

    Work(RunReport plan) {
      this.plan = plan;
      this.store = Objects.requireNonNull(plan.store(), "a plan has one");
    }

    /** Archives a session. Returns a result if that failed, so that the session is not deleted. */
    private Optional<DeleteResult> archive(Deletion planned) {
      if (archive == null) {
        return Optional.empty();
      }
      if (cancellation.isCancelled() || breaker.isOpen()) {
        return Optional.of(new DeleteResult(Status.NOT_TRIED));
      }
      try {
        archive.store(store, planned.session());
        return Optional.empty();
      } catch (IOException e) {
        // Of this session alone: the next run would begin with the same ones.
        return Optional.of(new DeleteResult(Status.FAILED, "not archived: " + e));
      } catch (KubernetesClientException e) {
        var reason = "not archived: " + ApiErrors.reason(e);
        recordFailure(reason);
        return Optional.of(new DeleteResult(Status.FAILED, reason));
      }
    }

    /** Sends one request. The next run retries a failed or changed session. */
    DeleteResult delete(Deletion planned) {
      if (!acquirePermit()) {
        return new DeleteResult(Status.NOT_TRIED);
      }
      audit.begin(plan.run(), planned);
      try {
        var result = store.delete(planned.session());
        breaker.recordSuccess();
        return result;
      } catch (KubernetesClientException e) {
        var reason = ApiErrors.reason(e);
        if (isRefusal(e.getCode())) {
          return new DeleteResult(Status.FAILED, reason);
        }
        recordFailure(reason);
        return readAgain(planned.session(), reason, mayBeCarriedOut(e));
      }
    }

    /** Checks whether a session was deleted although the request failed: its answer may be lost. */
    private DeleteResult readAgain(Session session, String reason, boolean mayBeCarriedOut) {
      try {
        var found = store.get(session).filter(session::isSameAs);
        if (found.isEmpty()) {
          return new DeleteResult(Status.GONE, reason);
        }
        return found.get().marks().contains(Mark.TERMINATING)
            ? new DeleteResult(Status.TERMINATING)
            : new DeleteResult(mayBeCarriedOut ? Status.UNKNOWN : Status.FAILED, reason);
      } catch (KubernetesClientException e) {
        return new DeleteResult(Status.UNKNOWN, ApiErrors.reason(e));
      }
    }

    private boolean acquirePermit() {
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

    private void recordFailure(String reason) {
      lastFailure = reason;
      breaker.recordFailure();
    }

    /** Checks whether a failed request may yet succeed: a gateway gives up before the service. */
    private static boolean mayBeCarriedOut(KubernetesClientException failure) {
      return ApiErrors.isUnanswered(failure)
          || failure.getCode() == HttpURLConnection.HTTP_GATEWAY_TIMEOUT;
    }

    /** Checks whether only this request was refused: not by a busy server, nor for the token. */
    private static boolean isRefusal(int code) {
      return code >= 400 && code < 500 && code != 429 && code != 401;
    }
  }
}
