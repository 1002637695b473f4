package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.BlockReason;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.RunReport.Ending;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The janitor's runs of the pruner: one at a time, each reported, and each verified afterwards. */
final class PruneJob implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PruneJob.class);
  private static final Duration LAST_RECORDS = Duration.ofSeconds(5);

  private final PruneSettings settings;
  private final Pruner pruner;
  private final Reporter reporter;
  private final JanitorMetrics metrics;
  private final CancellationToken cancellation;
  private final InstantSource clock;
  private final ReentrantLock turn = new ReentrantLock();
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

  /** Shows what sessions there are, in the background: the first run may be long in coming. */
  void look() {
    verifications.execute(
        () -> {
          turn.lock();
          try {
            metrics.saw(pruner.plan().stats());
          } catch (KubernetesClientException e) {
            logger.warn("prune: before the first run: {}", ApiErrors.reason(e));
          } finally {
            turn.unlock();
          }
        });
  }

  /** A run by the schedule, unless a blackout holds it back. */
  void scheduled() {
    var now = clock.instant();
    if (settings.schedule().isBlackout(now)) {
      metrics.blocked(BlockReason.BLACKOUT);
      logger.info("prune: held back by a blackout; next run {}", settings.schedule().next(1, now));
      return;
    }
    var _ = run();
  }

  /** A run, as soon as the one under way has ended; it is verified in the background. */
  RunReport run() {
    turn.lock();
    try {
      return takeTurn();
    } finally {
      turn.unlock();
    }
  }

  /**
   * A run for which a stuck operator waits; one that would only report is left out.
   *
   * @throws KubernetesClientException if it cannot list
   */
  void beforeRestart() {
    if (settings.armed()) {
      var _ = run();
    }
  }

  /** Waits for what is under way; to be called when told to stop. */
  @Override
  public void close() {
    turn.lock();
    try {
      verifications.shutdown();
      if (!verifications.awaitTermination(LAST_RECORDS.toNanos(), TimeUnit.NANOSECONDS)) {
        logger.warn("prune: the last deletions have a begin line and no end in the audit lines");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      turn.unlock();
    }
  }

  private RunReport takeTurn() {
    var begin = clock.instant();
    try {
      var report = pruner.run(settings.armed());
      reporter.ran(report);
      if (!verifications.isShutdown()) {
        verifications.execute(() -> verify(report));
      }
      return report;
    } catch (KubernetesClientException e) {
      if (cancellation.isCancelled()) {
        // What was told to end may fail because of that.
        broke(Ending.INTERRUPTED, null, "", begin);
      } else {
        broke(Ending.FAILED, BlockReason.UNLISTED, ApiErrors.reason(e), begin);
      }
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      // A fault of ours: it goes on to whoever logs it, but a run that broke off must be seen.
      broke(Ending.FAILED, null, "it failed unexpectedly: " + e, begin);
      throw e;
    }
  }

  private void verify(RunReport report) {
    try {
      reporter.verified(pruner.verify(report, settings.deadline()));
    } catch (RuntimeException | OutOfMemoryError e) {
      logger.error("prune {}: what became of it is not known", report.run(), e);
    }
  }

  private void broke(Ending ending, @Nullable BlockReason reason, String why, Instant begin) {
    var now = clock.instant();
    reporter.ran(RunReport.failed(ending, reason, why, now, Duration.between(begin, now)));
  }
}
