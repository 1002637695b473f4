package dev.shipshape.plugin.command;

import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows people the operator as the leading janitor last saw it. */
final class OperatorText {
  private OperatorText() {}

  /** Returns who leads, or why that is not known; empty if no janitor leads. */
  static Optional<String> leader(@Nullable String leader, @Nullable String problem) {
    return Optional.ofNullable(leader).or(() -> Optional.ofNullable(problem));
  }

  /**
   * @param report null if there was no check yet
   */
  static String line(boolean isLed, @Nullable OperatorReport report) {
    if (report == null) {
      return isLed
          ? "unknown: no check was published yet; if this lasts, see the janitor's log"
          : "unknown: no janitor leads";
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

  /** Describes what the janitor does next. What forbids a restart now is in {@link #line}. */
  static String next(OperatorReport report) {
    if (report.refusal() == RestartRefusal.OTHER_REMEDY) {
      return "no restart, which would not help: " + report.refusalDetail();
    }
    return report.armed()
        ? "a restart whenever it is stuck and nothing forbids it"
        : "a report whenever it is stuck, and no restart: that is not armed, or no remedy";
  }
}
