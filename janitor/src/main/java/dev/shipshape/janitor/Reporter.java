package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorReport;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the runs of the pruner as metrics, Events, log lines and published status. A condition
 * that lasts gets one Event. Events contain counts, never names of sessions or users.
 */
final class Reporter {
  private static final Logger logger = LoggerFactory.getLogger(Reporter.class);
  private static final String PRUNE = "Prune";

  private final JanitorMetrics metrics;
  private final @Nullable EventWriter events;
  private final StatusPublisher status;
  private final InstantSource clock;

  /** Ending and block reason of the last run. */
  private String lastEnding = "";

  /** How many runs in a row a limit has stopped. */
  private int stoppedRuns;

  /**
   * @param events about the operator that owns the sessions; null if there is none
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

  /**
   * Resets the state after this replica became the leader: every finding is new.
   *
   * @return the checks that earlier leaders have published
   */
  synchronized List<OperatorReport> beginTerm() {
    lastEnding = "";
    stoppedRuns = 0;
    return status.beginTerm();
  }

  /** Reports a run that has sent its requests, or ended before. */
  synchronized void reportRun(RunReport report) {
    metrics.recordRun(report);
    if (report.ending() == RunReport.Ending.INTERRUPTED) {
      return;
    }
    if (report.ending() == RunReport.Ending.FAILED) {
      status.publishRun(report);
    }
    var ending = report.ending() + String.valueOf(report.blocked());
    var isNew = !lastEnding.equals(ending);
    lastEnding = ending;
    if (report.ending() == RunReport.Ending.STOPPED) {
      stoppedRuns++;
    } else if (stoppedRuns > 0) {
      logger.info("prune: no longer stopped, after {} runs in a row", stoppedRuns);
      stoppedRuns = 0;
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

  /** Reports the results of a run after its verification. */
  void reportResults(RunReport report) {
    metrics.recordResults(report, clock.instant());
    status.publishRun(report);
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
