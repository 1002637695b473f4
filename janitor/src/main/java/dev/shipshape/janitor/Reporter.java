package dev.shipshape.janitor;

import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.restart.OperatorReport;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports the runs of the pruner as metrics, Events, log lines and published status. A run that is
 * stopped or fails as the one before gets no further Event. Events contain counts, never names of
 * sessions or users.
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
   * Resets the state, and may publish it, after this replica became the leader: all is new.
   *
   * @return the checks that earlier leaders have published
   */
  synchronized List<OperatorReport> beginTerm(boolean publishes) {
    lastEnding = "";
    // Before the status is read: that may take long.
    metrics.beginTerm();
    var earlier = status.beginTerm(publishes);
    metrics.recordEarlier(earlier.lastGoodRun());
    return earlier.operators();
  }

  /** Reports a run that has sent its requests, or ended before. */
  synchronized void reportRun(RunReport report) {
    metrics.recordRun(report);
    log(report);
    if (report.ending() == Ending.INTERRUPTED) {
      return;
    }
    if (report.ending() == Ending.FAILED) {
      status.publishRun(report);
    }
    var ending = report.ending() + String.valueOf(report.blocked());
    var isNew = !lastEnding.equals(ending);
    lastEnding = ending;
    switch (report.ending()) {
      case STOPPED -> warnIf(isNew, "PruneStopped", report.message());
      case FAILED -> warnIf(isNew, "PruneFailed", report.message());
      case REPORTED, DONE, INTERRUPTED -> {}
    }
  }

  private static void log(RunReport report) {
    // A run that could not list has no id: its caller logs why.
    if (!report.run().isEmpty()) {
      logger
          .atLevel(report.ending() == Ending.STOPPED ? Level.ERROR : Level.INFO)
          .log(
              "prune {}: {}: of {} sessions, {} eligible: {}",
              report.run(),
              report.ending() == Ending.REPORTED
                  ? "would delete, but prune.armed is false"
                  : written(report.ending()),
              report.stats().total(),
              report.stats().eligible(),
              report.message().isEmpty() ? report.results() : report.message());
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
      events.publish("Normal", "SessionsPruned", PRUNE, note);
    }
  }

  private void warnIf(boolean isNew, String reason, String note) {
    if (isNew && events != null) {
      events.publish("Warning", reason, PRUNE, note);
    }
  }
}
