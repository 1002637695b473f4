package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes metrics, Events and the published status of the two reports. Events are of what is new:
 * what only lasts is not reported again. They name counts, never sessions or users.
 */
final class Reporter {
  private static final Logger logger = LoggerFactory.getLogger(Reporter.class);
  private static final String PRUNE = "Prune";

  private final JanitorMetrics metrics;
  private final EventWriter events;
  private final StatusPublisher status;
  private final InstantSource clock;

  /** What the last run that sent nothing was held back by. */
  private String blocked = "";

  /** How many runs in a row a limit has stopped. */
  private int stopped;

  private @Nullable OperatorReport last;

  /** Why a stuck operator was last said not to be restarted. */
  private @Nullable RestartRefusal refusal;

  Reporter(
      JanitorMetrics metrics, EventWriter events, StatusPublisher status, InstantSource clock) {
    this.metrics = metrics;
    this.events = events;
    this.status = status;
    this.clock = clock;
  }

  /** This replica has begun to lead: all that it finds is new. */
  synchronized void beginTerm() {
    last = null;
    refusal = null;
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
    logStop(report, isNew);
    switch (report.ending()) {
      case STOPPED -> warnIf(isNew, "PruneStopped", PRUNE, report.message());
      case FAILED -> warnIf(isNew, "PruneFailed", PRUNE, report.message());
      case REPORTED, DONE, INTERRUPTED -> {}
    }
  }

  /** Once while it lasts, however often a check of the operator meets it. */
  private void logStop(RunReport report, boolean isNew) {
    if (report.ending() != RunReport.Ending.STOPPED) {
      if (stopped > 0) {
        logger.info("prune: no longer stopped, after {} runs in a row", stopped);
      }
      stopped = 0;
      return;
    }
    stopped++;
    if (isNew) {
      logger.error("prune {}: stopped, nothing deleted: {}", report.run(), report.message());
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
      events.publish(EventWriter.Type.WARNING, "PruneIncomplete", PRUNE, note);
    } else if (results.containsKey("gone")) {
      events.publish(EventWriter.Type.NORMAL, "SessionsPruned", PRUNE, note);
    }
  }

  /** A check of the operator. */
  synchronized void checked(OperatorReport report) {
    metrics.checked(report);
    status.checked(report);
    var before = last;
    last = report;
    if (report.stuckSince() != null && (before == null || before.stuckSince() == null)) {
      metrics.detected();
    }
    silence(before == null ? null : before.silence(), report.silence());
    if (report.result() != null) {
      restartEnded(report.result());
    }
    if (report.restartedAt() != null) {
      refusal = null;
      events.publish(
          EventWriter.Type.WARNING,
          "StuckOperatorRestarted",
          "Restart",
          "restarted at %s: %s".formatted(report.restartedAt(), report.restartReason()));
    } else if (report.refusal() != null) {
      if (before == null || before.refusal() != report.refusal()) {
        logger.warn(
            "operator: {} is stuck: {}; not restarted: {}: {}",
            report.deployment(),
            report.restartReason(),
            report.refusal(),
            report.refusalDetail());
      }
      refused(report.refusal(), report.refusalDetail());
    } else if (report.diagnosis() != Diagnosis.Kind.UNREADABLE) {
      // Not to know is no end of it.
      refusal = null;
    }
  }

  /** A check that broke off. */
  void checkFailed() {
    metrics.checks(Diagnosis.Kind.UNREADABLE);
  }

  /** Not to be confirmed yet is a step on the way to a restart, or to none. */
  private void refused(RestartRefusal reason, String detail) {
    var isNew = reason != refusal && reason != RestartRefusal.NOT_CONFIRMED;
    if (isNew) {
      refusal = reason;
    }
    warnIf(isNew, "StuckOperatorNotRestarted", "Refuse", "%s: %s".formatted(reason, detail));
  }

  private void silence(@Nullable String before, @Nullable String now) {
    if (before == null && now != null) {
      logger.warn("operator: it logs nothing: {}", now);
      metrics.signals().increment();
      events.publish(EventWriter.Type.WARNING, "OperatorSilent", "Observe", now);
    } else if (before != null && now == null) {
      logger.info("operator: it logs again, or no session waits");
    }
  }

  private void restartEnded(RestartResult result) {
    switch (result) {
      case CURED ->
          events.publish(
              EventWriter.Type.NORMAL,
              "RestartCured",
              "FollowUp",
              "the restart is complete and helped");
      case OVERDUE -> followUp("RestartOverdue", "the rollout is not complete after ten minutes");
      case REVERTED ->
          followUp(
              "RestartReverted",
              "something, such as a GitOps tool, took the restart's annotation back");
      case INEFFECTIVE ->
          followUp("RestartIneffective", "the rollout is complete, and it is stuck again");
      case UNCLEAR -> followUp("RestartUnclear", "twenty minutes did not show whether it helped");
    }
  }

  private void followUp(String reason, String note) {
    events.publish(EventWriter.Type.WARNING, reason, "FollowUp", note);
  }

  private void warnIf(boolean isNew, String reason, String action, String note) {
    if (isNew) {
      events.publish(EventWriter.Type.WARNING, reason, action, note);
    }
  }
}
