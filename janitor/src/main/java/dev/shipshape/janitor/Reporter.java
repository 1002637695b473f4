package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.RunReport;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes metrics, Events and the published status of the runs of the pruner. Events are of what is
 * new: what only lasts is not reported again. They name counts, never sessions or users.
 */
final class Reporter {
  private static final Logger logger = LoggerFactory.getLogger(Reporter.class);
  private static final String PRUNE = "Prune";

  private final JanitorMetrics metrics;
  private final @Nullable EventWriter events;
  private final StatusPublisher status;
  private final InstantSource clock;

  /** What the last run that sent nothing was held back by. */
  private String blocked = "";

  /** How many runs in a row a limit has stopped. */
  private int stopped;

  /**
   * @param events about the operator that the sessions are of; null if there is none
   */
  Reporter(
      JanitorMetrics metrics,
      @Nullable EventWriter events,
      StatusPublisher status,
      InstantSource clock) {
    this.metrics = metrics;
    this.events = events;
    this.status = status;
    this.clock = clock;
  }

  /** This replica has begun to lead: all that it finds is new. */
  synchronized void beginTerm() {
    blocked = "";
    stopped = 0;
    status.beginTerm();
  }

  /** A run of the pruner has sent its requests, or ended without. */
  synchronized void ran(RunReport report) {
    metrics.ran(report);
    if (report.ending() == RunReport.Ending.INTERRUPTED) {
      return;
    }
    if (report.ending() == RunReport.Ending.FAILED) {
      status.ran(report);
    }
    var isNew = !blocked.equals(report.ending() + String.valueOf(report.blocked()));
    blocked = report.ending() + String.valueOf(report.blocked());
    if (report.ending() == RunReport.Ending.STOPPED) {
      stopped++;
    } else if (stopped > 0) {
      logger.info("prune: no longer stopped, after {} runs in a row", stopped);
      stopped = 0;
    }
    switch (report.ending()) {
      case STOPPED -> {
        if (isNew) {
          logger.error("prune {}: stopped, nothing deleted: {}", report.run(), report.message());
        }
        warnIf(isNew, "PruneStopped", report.message());
      }
      case FAILED -> warnIf(isNew, "PruneFailed", report.message());
      case REPORTED, DONE, INTERRUPTED -> {}
    }
  }

  /** It is known what a run came to. */
  void verified(RunReport report) {
    metrics.verified(report, clock.instant());
    status.ran(report);
    var results = report.results();
    var note =
        "run %s, of %d sessions: %s".formatted(report.run(), report.stats().total(), results);
    if (results.containsKey("failed") || results.containsKey("remaining")) {
      warnIf(true, "PruneIncomplete", note);
    } else if (events != null && results.containsKey("gone")) {
      events.publish(EventWriter.Type.NORMAL, "SessionsPruned", PRUNE, note);
    }
  }

  private void warnIf(boolean isNew, String reason, String note) {
    if (isNew && events != null) {
      events.publish(EventWriter.Type.WARNING, reason, PRUNE, note);
    }
  }
}
