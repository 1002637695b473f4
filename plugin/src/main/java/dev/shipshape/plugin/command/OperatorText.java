package dev.shipshape.plugin.command;

import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.plugin.release.Helm;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows people the operator as the leading janitor last saw it. */
final class OperatorText {
  private OperatorText() {}

  /**
   * Formats it in one line.
   *
   * @param report null if there was no check yet
   */
  static String line(boolean isLed, @Nullable OperatorReport report) {
    if (report == null) {
      return isLed ? "unknown: no check has ended yet" : "unknown: no janitor leads";
    }
    return isLed
        ? line(report)
        : "unknown: no janitor leads; as last seen, since %s: %s"
            .formatted(report.at(), line(report));
  }

  private static String line(OperatorReport report) {
    var outcome =
        report.refusal() == null ? "it was just restarted" : "not restarted: " + refusal(report);
    return switch (report.diagnosis()) {
      case STUCK -> "STUCK since %s; %s".formatted(report.stuckSince(), outcome);
      case HEALTHY, RECOVERED, FAILING ->
          "not stuck, by its log"
              + (report.silence() == null ? "" : "; but silent: " + report.silence())
              + (report.restartReason() == null ? "" : "; " + outcome);
      case UNREADABLE ->
          "unknown: %s%s"
              .formatted(
                  report.detail(),
                  report.stuckSince() == null ? "" : "; it was stuck from " + report.stuckSince());
    };
  }

  private static String refusal(OperatorReport report) {
    var reason = written(Objects.requireNonNull(report.refusal()));
    return report.refusalDetail().isEmpty() ? reason : reason + ": " + report.refusalDetail();
  }

  /**
   * Describes what the janitor does next.
   *
   * @param clusterFlags of {@link ClusterOptions}
   */
  static String next(OperatorReport report, List<String> clusterFlags) {
    if (report.diagnosis() == Diagnosis.Kind.STUCK || report.restartReason() != null) {
      return report.refusal() == null
          ? "the next checks judge the restart"
          : after(report, clusterFlags);
    }
    if (report.diagnosis() == Diagnosis.Kind.UNREADABLE) {
      return "the next check reads its log again";
    }
    return report.armed()
        ? "a restart once it is stuck"
            + (report.governor() == null
                ? ""
                : "; the governor now says: " + written(report.governor()))
        : "a report once it is stuck, and no restart: that is not armed, or no remedy";
  }

  private static String after(OperatorReport report, List<String> clusterFlags) {
    var workload = report.workload();
    var restart = "-n %s rollout restart %s".formatted(workload.namespace(), workload.resource());
    var byHand = "by hand: " + Helm.kubectl(clusterFlags, restart);
    return switch (Objects.requireNonNull(report.refusal())) {
      case OTHER_REMEDY -> "no restart, which would not help: " + report.refusalDetail();
      case NOT_ARMED -> "no restart, as restarts are not armed; " + byHand;
      case DAILY_BUDGET ->
          "no restart until the daily budget allows one: check the operator; " + byHand;
      case COOLDOWN -> "a restart once the cooldown is over, if it is still stuck";
      case HOURLY_BUDGET -> "a restart once the hourly budget allows it, if it is still stuck";
      case MAINTENANCE -> "a restart once maintenance is over, if it is still stuck";
      case NO_REPLICAS, PAUSED -> "no restart until it has pods and is not paused";
      case ROLLOUT_IN_PROGRESS,
          CLOCKS_APART,
          NOT_CONFIRMED,
          PRUNE_FAILED,
          CHANGED,
          STOPPING,
          FAILED ->
          "the next check decides again";
    };
  }
}
