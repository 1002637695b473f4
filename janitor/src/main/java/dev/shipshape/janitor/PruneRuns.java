package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TimeLeft;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.Wait;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The janitor's runs of the pruner: one at a time, each counted and told. */
final class PruneRuns implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PruneRuns.class);

  /** How often to look whether the run under way has come so far that it can end. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private final PruneSettings settings;
  private final Pruner pruner;
  private final PruneMetrics metrics;
  private final PruneEvents events;
  private final StopSignal stop;
  private final InstantSource clock;
  private final ReentrantLock turn = new ReentrantLock();
  private boolean closed;

  PruneRuns(
      PruneSettings settings,
      Pruner pruner,
      PruneMetrics metrics,
      PruneEvents events,
      StopSignal stop,
      InstantSource clock) {
    this.settings = settings;
    this.pruner = pruner;
    this.metrics = metrics;
    this.events = events;
    this.stop = stop;
    this.clock = clock;
  }

  /** What a run would delete now; {@link ApiFailure} where the sessions cannot be listed. */
  Plan plan() {
    return pruner.plan();
  }

  /** A run by the schedule, unless a blackout or a missing right holds it back. */
  void scheduled(Rights rights) {
    var blackout = settings.schedule().blackoutAt(clock.instant());
    if (blackout.isPresent()) {
      metrics.blocked(Blocked.BLACKOUT);
      logger.info("prune: held back by a blackout until {}", blackout.get());
    } else if (areGranted(rights)) {
      run();
    } else {
      metrics.blocked(Blocked.MISSING_RIGHTS);
    }
  }

  private boolean areGranted(Rights rights) {
    var begin = clock.instant();
    try {
      return rights.areGranted();
    } catch (ApiFailure e) {
      throw ended(e, begin);
    }
  }

  /**
   * Writes the records that an earlier life of the program did not live to write, where no run may
   * come for long.
   *
   * @throws UncheckedIOException where records cannot be kept
   */
  void settle() {
    turn.lock();
    try {
      if (!closed) {
        pruner.settle();
      }
    } finally {
      turn.unlock();
    }
  }

  /** Waits for what is under way; nothing opens the records again after that. */
  @Override
  public void close() {
    turn.lock();
    try {
      closed = true;
    } finally {
      turn.unlock();
    }
  }

  /** A run, as soon as the one under way has ended. */
  PruneReport run() {
    turn.lock();
    try {
      return runAlone(new Wait(false, settings.deadline()));
    } finally {
      turn.unlock();
    }
  }

  /**
   * A run for which a stuck operator waits. One under way that has deleted its sessions ends then:
   * it waits for Jobs that only the operator removes.
   *
   * @param longest how long it waits at most; a run that is under way already counts against it
   * @return empty where the run under way still goes on then, and has begun to delete what this one
   *     would have deleted: it may not come to its end, and waits for sessions that something holds
   * @throws ApiFailure where this run cannot list, or the one under way still does: that one may
   *     yet delete nothing
   */
  Optional<PruneReport> beforeRestart(Duration longest) {
    var end = System.nanoTime() + longest.toNanos();
    try {
      pruner.giveUpWaiting();
      while (!turn.tryLock(
          Math.min(LOOK.toNanos(), TimeLeft.until(end).toNanos()), TimeUnit.NANOSECONDS)) {
        if (stop.isStopped()) {
          throw ApiFailure.unsuitable("a run of the pruner is still under way");
        }
        if (TimeLeft.until(end).isZero()) {
          if (!pruner.isDeleting()) {
            throw ApiFailure.unsuitable(
                "a run of the pruner is under way, and has not come to delete after " + longest);
          }
          logger.warn("prune: a restart waits no longer for the run under way, after {}", longest);
          return Optional.empty();
        }
        pruner.giveUpWaiting();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiFailure.unanswered("interrupted while a run of the pruner was under way", e);
    }
    try {
      return Optional.of(runAlone(new Wait(true, TimeLeft.until(end))));
    } finally {
      turn.unlock();
    }
  }

  private PruneReport runAlone(Wait wait) {
    var begin = clock.instant();
    try {
      var report = pruner.run(settings.armed(), wait);
      metrics.ended(report, clock.instant());
      events.tell(report);
      return report;
    } catch (ApiFailure e) {
      throw ended(e, begin);
    } catch (UncheckedIOException e) {
      throw failed(Blocked.RECORDS, ApiFailure.unsuitable(String.valueOf(e.getMessage())), begin);
    } catch (RuntimeException e) {
      // A fault of ours: it goes on to whoever logs it, but a run that broke off must be seen.
      throw failed(e, "it broke off: " + e, begin);
    } catch (OutOfMemoryError e) {
      var failure = ApiFailure.unsuitable("out of memory: " + e.getMessage());
      throw failed(failure, String.valueOf(failure.getMessage()), begin);
    }
  }

  /** What was told to end may fail because of that: its answers are cut off, too. */
  private ApiFailure ended(ApiFailure failure, Instant begin) {
    if (!stop.isStopped()) {
      return failed(Blocked.UNLISTED, failure, begin);
    }
    metrics.interrupted(Duration.between(begin, clock.instant()));
    return failure;
  }

  private ApiFailure failed(Blocked reason, ApiFailure failure, Instant begin) {
    metrics.blocked(reason);
    return failed(failure, String.valueOf(failure.getMessage()), begin);
  }

  private <E extends RuntimeException> E failed(E failure, String why, Instant begin) {
    metrics.failed(Duration.between(begin, clock.instant()));
    events.tellFailed(why);
    return failure;
  }
}
