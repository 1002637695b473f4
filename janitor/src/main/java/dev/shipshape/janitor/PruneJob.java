package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.PruneRun;
import dev.shipshape.janitor.prune.Pruner;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The janitor's runs of the pruner: one at a time, each counted and told, and each followed up. */
final class PruneJob implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PruneJob.class);
  private static final Duration LAST_RECORDS = Duration.ofSeconds(5);

  private final PruneSettings settings;
  private final Pruner pruner;
  private final PruneMetrics metrics;
  private final EventReporter events;
  private final CancellationToken cancellation;
  private final InstantSource clock;
  private final ReentrantLock turn = new ReentrantLock();
  private final ExecutorService followUps = Executors.newVirtualThreadPerTaskExecutor();

  PruneJob(
      PruneSettings settings,
      Pruner pruner,
      PruneMetrics metrics,
      EventReporter events,
      CancellationToken cancellation,
      InstantSource clock) {
    this.settings = settings;
    this.pruner = pruner;
    this.metrics = metrics;
    this.events = events;
    this.cancellation = cancellation;
    this.clock = clock;
  }

  /** What a run would delete now; fails where the sessions cannot be listed. */
  Plan plan() {
    return pruner.plan();
  }

  /** A run by the schedule, unless a blackout holds it back. */
  void scheduled() {
    var blackout = settings.schedule().blackoutAt(clock.instant());
    if (blackout.isPresent()) {
      metrics.blocked(BlockReason.BLACKOUT);
      logger.info("prune: held back by a blackout until {}", blackout.get());
      return;
    }
    var _ = run();
  }

  /** A run, as soon as the one under way has ended; it is followed up in the background. */
  PruneReport run() {
    turn.lock();
    try {
      return runAndFollowUp(Duration.ZERO);
    } finally {
      turn.unlock();
    }
  }

  /**
   * A run for which a stuck operator waits, until the sessions are gone. Their Jobs are followed up
   * in the background: only the operator removes them.
   *
   * @param longest how long it waits at most
   * @throws KubernetesClientException where this run cannot list, or another one goes on for longer
   */
  PruneReport beforeRestart(Duration longest) {
    var end = System.nanoTime() + longest.toNanos();
    try {
      if (!turn.tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new KubernetesClientException(
            "another run of the pruner did not end within " + longest);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("interrupted while a run of the pruner was under way", e);
    }
    try {
      return runAndFollowUp(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    } finally {
      turn.unlock();
    }
  }

  /** Waits for what is under way; to be called when told to stop. */
  @Override
  public void close() {
    turn.lock();
    try {
      followUps.shutdown();
      if (!followUps.awaitTermination(LAST_RECORDS.toNanos(), TimeUnit.NANOSECONDS)) {
        logger.warn("prune: the last deletions have a begin line and no end in the audit lines");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      turn.unlock();
    }
  }

  /**
   * @param wait how long to wait for the sessions before the rest is followed up
   */
  private PruneReport runAndFollowUp(Duration wait) {
    var begin = clock.instant();
    try {
      var run = pruner.run(settings.armed());
      var counted = run.report();
      metrics.ran(counted);
      var report = wait.isZero() ? counted : run.awaitSessions(wait);
      if (!followUps.isShutdown()) {
        followUps.execute(() -> followUp(run, counted));
      }
      return report;
    } catch (KubernetesClientException e) {
      throw cancellation.isCancelled()
          ? interrupted(e, begin)
          : failed(BlockReason.UNLISTED, e, ApiErrors.reason(e), begin);
    } catch (RuntimeException | OutOfMemoryError e) {
      // A fault of ours: it goes on to whoever logs it, but a run that broke off must be seen.
      failed("it failed unexpectedly: " + e, begin);
      throw e;
    }
  }

  private void followUp(PruneRun run, PruneReport counted) {
    try {
      var report = run.awaitAll(settings.deadline());
      metrics.followedUp(counted, report, clock.instant());
      events.pruned(report);
    } catch (RuntimeException | OutOfMemoryError e) {
      logger.error("prune {}: what became of it is not known", counted.run(), e);
    }
  }

  private <E extends RuntimeException> E failed(
      BlockReason reason, E e, String why, Instant begin) {
    metrics.blocked(reason);
    failed(why, begin);
    return e;
  }

  private void failed(String why, Instant begin) {
    metrics.failed(Duration.between(begin, clock.instant()));
    events.pruneFailed(why);
  }

  /** What was told to end may fail because of that. */
  private KubernetesClientException interrupted(KubernetesClientException e, Instant begin) {
    metrics.interrupted(Duration.between(begin, clock.instant()));
    return e;
  }
}
