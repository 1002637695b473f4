package dev.shipshape.janitor;

import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the checks of one operator as metrics, Events, log lines and published status. */
final class OperatorReporter {
  private static final Logger logger = LoggerFactory.getLogger(OperatorReporter.class);

  private final String name;
  private final JanitorMetrics metrics;
  private final EventWriter events;
  private final StatusPublisher status;
  private @Nullable OperatorReport last;

  /** The refusal of the last Event; null after a restart or a recovery. */
  private @Nullable RestartRefusal refusal;

  OperatorReporter(
      String name, JanitorMetrics metrics, EventWriter events, StatusPublisher status) {
    this.name = name;
    this.metrics = metrics;
    this.events = events;
    this.status = status;
  }

  /** Resets the state after this replica became the leader: every finding is new. */
  synchronized void beginTerm() {
    last = null;
    refusal = null;
  }

  synchronized void report(OperatorReport report) {
    metrics.recordCheck(report);
    status.publishCheck(report);
    var before = last;
    last = report;
    reportSilence(before == null ? null : before.silence(), report.silence());
    if (report.result() != null) {
      var result = report.result();
      var type = result == RestartResult.CURED ? "Normal" : "Warning";
      events.publish(type, result.eventReason(), "FollowUp", result.note());
    }
    if (report.restartedAt() != null) {
      refusal = null;
      events.publish(
          "Warning",
          "StuckOperatorRestarted",
          "Restart",
          "restarted at %s: %s".formatted(report.restartedAt(), report.restartReason()));
    } else if (report.refusal() != null) {
      if (before == null || before.refusal() != report.refusal()) {
        logger
            .atWarn()
            .addKeyValue("operator", name)
            .addKeyValue("object", report.workload())
            .addKeyValue("reason", report.restartReason())
            .addKeyValue("refusal", written(report.refusal()))
            .log(
                "operator {}: {} is stuck: {}; not restarted: {}: {}",
                name,
                report.workload(),
                report.restartReason(),
                written(report.refusal()),
                report.refusalDetail());
      }
      reportRefusal(report.refusal(), report.refusalDetail());
    } else if (report.diagnosis() != Diagnosis.Kind.UNREADABLE) {
      // An unreadable log does not prove a recovery.
      refusal = null;
    }
  }

  void reportFailedCheck() {
    metrics.countCheck(name, Diagnosis.Kind.UNREADABLE);
  }

  /** Writes an Event for a new reason, but not for {@code NOT_CONFIRMED}, which is temporary. */
  private void reportRefusal(RestartRefusal reason, String detail) {
    var isNew = reason != refusal && reason != RestartRefusal.NOT_CONFIRMED;
    if (isNew) {
      refusal = reason;
      var note = "%s: %s".formatted(written(reason), detail);
      events.publish("Warning", "StuckOperatorNotRestarted", "Refuse", note);
    }
  }

  private void reportSilence(@Nullable String before, @Nullable String now) {
    if (before == null && now != null) {
      logger.warn("operator {}: it logs nothing: {}", name, now);
      events.publish("Warning", "OperatorSilent", "Observe", now);
    } else if (before != null && now == null) {
      logger.info(
          "operator {}: silence has ended: it logs again, no session waits, or this is unknown",
          name);
    }
  }
}
