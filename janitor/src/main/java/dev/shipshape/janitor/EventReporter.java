package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartOutcome;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import dev.shipshape.janitor.restart.SignalState;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people by Events what changed: each run that deleted, failed or was stopped; each restart
 * and what it came to; each new reason of a refusal; each new silence. What only lasts is not told
 * again. Events name counts, never sessions or users.
 */
final class EventReporter {
  private static final Logger logger = LoggerFactory.getLogger(EventReporter.class);
  private static final String PRUNE = "Prune";

  private final EventWriter events;
  private @Nullable RestartRefusal refusal;
  private boolean silent;

  EventReporter(EventWriter events) {
    this.events = events;
  }

  /** A run of the pruner, with its follow-up. */
  void pruned(PruneReport report) {
    switch (report.ending()) {
      case REPORTED -> {}
      case STOPPED ->
          report
              .plan()
              .stop()
              .ifPresent(
                  stop ->
                      events.publish(
                          EventWriter.Type.WARNING, "PruneStopped", PRUNE, stop.message()));
      case DONE, INTERRUPTED -> deleted(report);
    }
  }

  /** A run of the pruner that broke off. */
  void pruneFailed(String message) {
    events.publish(EventWriter.Type.WARNING, "PruneFailed", PRUNE, message);
  }

  private void deleted(PruneReport report) {
    var counts = new TreeMap<String, Integer>();
    report
        .deletions()
        .forEach(each -> counts.merge(each.result().status().word(), 1, Integer::sum));
    var note =
        "run %s, of %d sessions: %s".formatted(report.run(), report.plan().stats().total(), counts);
    if (counts.containsKey("failed") || counts.containsKey("remaining")) {
      events.publish(EventWriter.Type.WARNING, "PruneIncomplete", PRUNE, note);
    } else if (counts.containsKey("gone")) {
      events.publish(EventWriter.Type.NORMAL, "SessionsPruned", PRUNE, note);
    }
  }

  /** A check of the operator. */
  synchronized void checked(OperatorReport report) {
    stalled(report.stall());
    report.result().ifPresent(this::restartEnded);
    switch (report.restart()) {
      case RestartOutcome.NotNeeded _ -> {
        // Not to know is no end of it.
        if (!(report.diagnosis() instanceof Diagnosis.Unreadable)) {
          refusal = null;
        }
      }
      case RestartOutcome.Restarted restarted -> {
        refusal = null;
        events.publish(
            EventWriter.Type.WARNING,
            "StuckOperatorRestarted",
            "Restart",
            "restarted at %s: %s".formatted(restarted.at(), restarted.reason()));
      }
      case RestartOutcome.Refused(RestartRefusal reason, String detail) -> {
        // Not to be confirmed yet is a step on the way to a restart, or to none.
        if (reason != refusal && reason != RestartRefusal.NOT_CONFIRMED) {
          refusal = reason;
          events.publish(
              EventWriter.Type.WARNING,
              "StuckOperatorNotRestarted",
              "Refuse",
              "%s: %s".formatted(reason, detail));
        }
      }
    }
  }

  private void stalled(SignalState stall) {
    switch (stall) {
      case SignalState.Present(String detail) -> {
        if (!silent) {
          logger.warn("operator: it logs nothing: {}", detail);
          events.publish(EventWriter.Type.WARNING, "OperatorSilent", "Observe", detail);
        }
        silent = true;
      }
      case SignalState.Absent _ -> {
        if (silent) {
          logger.info("operator: it logs again, or no session waits");
        }
        silent = false;
      }
      // Not to know is neither.
      case SignalState.Unknown _ -> {}
    }
  }

  private void restartEnded(RestartResult result) {
    switch (result) {
      case CURED ->
          followedUp(EventWriter.Type.NORMAL, "RestartCured", "the restart is complete and helped");
      case OVERDUE ->
          followedUp(
              EventWriter.Type.WARNING,
              "RestartOverdue",
              "the rollout is not complete after ten minutes");
      case REVERTED ->
          followedUp(
              EventWriter.Type.WARNING,
              "RestartReverted",
              "something, such as a GitOps tool, took the restart's annotation back");
      case INEFFECTIVE ->
          followedUp(
              EventWriter.Type.WARNING,
              "RestartIneffective",
              "the rollout is complete, and it is stuck again");
      case UNCLEAR ->
          followedUp(
              EventWriter.Type.WARNING,
              "RestartUnclear",
              "twenty minutes did not show whether it helped");
    }
  }

  private void followedUp(EventWriter.Type type, String reason, String note) {
    events.publish(type, reason, "FollowUp", note);
  }
}
