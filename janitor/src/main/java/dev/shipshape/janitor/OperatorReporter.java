package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes metrics, Events and the published status of the checks of one operator. */
final class OperatorReporter {
  private static final Logger logger = LoggerFactory.getLogger(OperatorReporter.class);

  private final String name;
  private final JanitorMetrics metrics;
  private final EventWriter events;
  private final StatusPublisher status;
  private @Nullable OperatorReport last;

  /** Why it was last said not to be restarted. */
  private @Nullable RestartRefusal refusal;

  OperatorReporter(
      String name, JanitorMetrics metrics, EventWriter events, StatusPublisher status) {
    this.name = name;
    this.metrics = metrics;
    this.events = events;
    this.status = status;
  }

  /** This replica has begun to lead: all that it finds is new. */
  synchronized void beginTerm() {
    last = null;
    refusal = null;
  }

  /** A check of it. */
  synchronized void checked(OperatorReport report) {
    metrics.checked(report);
    status.checked(report);
    var before = last;
    last = report;
    silence(before == null ? null : before.silence(), report.silence());
    if (report.result() != null) {
      var result = report.result();
      var type = result == RestartResult.CURED ? EventWriter.Type.NORMAL : EventWriter.Type.WARNING;
      events.publish(type, result.event(), "FollowUp", result.note());
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
        logger
            .atWarn()
            .addKeyValue("operator", name)
            .addKeyValue("object", report.workload())
            .addKeyValue("reason", report.restartReason())
            .addKeyValue("refusal", report.refusal())
            .log(
                "operator {}: {} is stuck: {}; not restarted: {}: {}",
                name,
                report.workload(),
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
    metrics.checks(name, Diagnosis.Kind.UNREADABLE);
  }

  /** Not to be confirmed yet is a step on the way to a restart, or to none. */
  private void refused(RestartRefusal reason, String detail) {
    var isNew = reason != refusal && reason != RestartRefusal.NOT_CONFIRMED;
    if (isNew) {
      refusal = reason;
      var note = "%s: %s".formatted(reason, detail);
      events.publish(EventWriter.Type.WARNING, "StuckOperatorNotRestarted", "Refuse", note);
    }
  }

  private void silence(@Nullable String before, @Nullable String now) {
    if (before == null && now != null) {
      logger.warn("operator {}: it logs nothing: {}", name, now);
      events.publish(EventWriter.Type.WARNING, "OperatorSilent", "Observe", now);
    } else if (before != null && now == null) {
      logger.info("operator {}: it logs again, no session waits, or that cannot be told", name);
    }
  }
}
