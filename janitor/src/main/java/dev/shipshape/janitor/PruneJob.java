package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.BlockReason;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.service.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the pruner: one run at a time. Reports each run, and verifies it in the background. */
final class PruneJob implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PruneJob.class);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  private final PruneSettings settings;
  private final Pruner pruner;
  private final Reporter reporter;
  private final JanitorMetrics metrics;
  private final CancellationToken cancellation;
  private final InstantSource clock;
  private final ExecutorService verifications = Executors.newVirtualThreadPerTaskExecutor();

  PruneJob(
      PruneSettings settings,
      Pruner pruner,
      Reporter reporter,
      JanitorMetrics metrics,
      CancellationToken cancellation,
      InstantSource clock) {
    this.settings = settings;
    this.pruner = pruner;
    this.reporter = reporter;
    this.metrics = metrics;
    this.cancellation = cancellation;
    this.clock = clock;
  }

  /** Records the session metrics in the background: the first run may be hours away. */
  void recordStatsAsync() {
    verifications.execute(this::recordStats);
  }

  private synchronized void recordStats() {
    if (cancellation.isCancelled()) {
      return;
    }
    try {
      metrics.recordStats(pruner.plan().stats());
    } catch (KubernetesClientException e) {
      logger.warn(
          "prune: could not count the sessions before the first run: {}", ApiErrors.reason(e));
    } catch (RuntimeException | OutOfMemoryError e) {
      logger.error("prune: could not count the sessions before the first run", e);
    }
  }

  /**
   * Runs the pruner, after a run that is in progress, unless a blackout window contains that time.
   */
  synchronized void runScheduled() {
    var now = clock.instant();
    if (settings.schedule().isBlackout(now)) {
      metrics.recordBlocked(BlockReason.BLACKOUT);
      logger.info("prune: skipped in a blackout; next run {}", settings.schedule().next(1, now));
      return;
    }
    var _ = run();
  }

  /** Runs the pruner, after a run that is in progress. Verifies in the background. */
  synchronized RunReport run() {
    var begin = clock.instant();
    try {
      var report = pruner.run(settings.armed());
      reporter.reportRun(report);
      if (!verifications.isShutdown()) {
        verifications.execute(() -> verify(report));
      }
      return report;
    } catch (KubernetesClientException e) {
      if (cancellation.isCancelled()) {
        // The cancellation may be the cause.
        reportFailed(Ending.INTERRUPTED, null, "", begin);
      } else {
        reportFailed(Ending.FAILED, BlockReason.UNLISTED, ApiErrors.reason(e), begin);
      }
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      // A bug: the caller logs it, but metrics and status must show the failed run too.
      reportFailed(Ending.FAILED, null, "it failed unexpectedly: " + e, begin);
      throw e;
    }
  }

  /**
   * Runs the pruner before the restart of a stuck operator; does nothing if pruning is not armed.
   *
   * @throws KubernetesClientException if the sessions cannot be listed
   */
  void runBeforeRestart() {
    if (settings.armed()) {
      var _ = run();
    }
  }

  /** Waits for the current run and its verification. */
  @Override
  public void close() {
    // Not locked while it waits: what it waits for may need the lock.
    stopVerifications();
    try {
      if (!verifications.awaitTermination(SHUTDOWN_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        logger.warn(
            "prune: stopped before the last deletions were verified: they have a begin line but no"
                + " result in the audit log");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** After the current run, which may still begin one. */
  private synchronized void stopVerifications() {
    verifications.shutdown();
  }

  private void verify(RunReport report) {
    try {
      reporter.reportResults(pruner.verify(report, settings.deadline()));
    } catch (RuntimeException | OutOfMemoryError e) {
      logger.error("prune {}: could not verify its deletions", report.run(), e);
    }
  }

  private void reportFailed(
      Ending ending, @Nullable BlockReason reason, String message, Instant begin) {
    var now = clock.instant();
    reporter.reportRun(
        RunReport.failed(ending, reason, message, now, Duration.between(begin, now)));
  }
}
