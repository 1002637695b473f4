package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the operator's log and evaluates its health. */
final class OperatorHealthCheck {
  /**
   * The operator's health at one check.
   *
   * @param silence one line if it logs nothing although sessions wait
   * @param restartReason in one line; empty if a restart is not needed
   */
  record Health(Diagnosis diagnosis, Optional<String> silence, Optional<String> restartReason) {

    /** Checks whether the reason for a restart still exists after a time. */
    boolean persistsAfter(Instant time) {
      return diagnosis.kind() == Diagnosis.Kind.STUCK
          ? Objects.requireNonNull(diagnosis.time()).isAfter(time)
          : restartReason.isPresent();
    }
  }

  private static final Logger logger = LoggerFactory.getLogger(OperatorHealthCheck.class);

  private final OperatorSettings settings;
  private final PodLogs log;
  private final @Nullable LogStall logStall;
  private final InstantSource clock;

  /** The last logged reason why the operator cannot be watched. */
  private String loggedProblem = "";

  OperatorHealthCheck(
      OperatorSettings settings, PodLogs log, @Nullable LogStall logStall, InstantSource clock) {
    this.settings = settings;
    this.log = log;
    this.logStall = logStall;
    this.clock = clock;
  }

  Health evaluate(OperatorSnapshot operator) {
    var now = clock.instant();
    var signature = settings.signature();
    var since = now.minus(signature.window());
    var instances = log.read(operator, since, () -> new LogScan(signature, since, now));
    logOnce(
        instances.stream()
            .map(InstanceHealth::diagnosis)
            .filter(diagnosis -> diagnosis.kind() == Diagnosis.Kind.UNREADABLE)
            .map(diagnosis -> "its log cannot be read: " + diagnosis.detail())
            .collect(Collectors.joining("; ")));
    return evaluate(instances, now);
  }

  /** Returns the health if the workload itself cannot be read. */
  Health unreadable(String reason) {
    logOnce(reason);
    return evaluate(List.of(InstanceHealth.unreadable(reason)), clock.instant());
  }

  private Health evaluate(List<InstanceHealth> instances, Instant now) {
    var diagnosis = Diagnosis.of(instances, settings.workload().kind() == Workload.Kind.DAEMONSET);
    var silence = logStall == null ? Optional.<String>empty() : logStall.evaluate(instances, now);
    var restartReason =
        diagnosis.kind() == Diagnosis.Kind.STUCK
            ? Optional.of(diagnosis.detail())
            : silence.filter(_ -> settings.silenceArmed());
    return new Health(diagnosis, silence, restartReason);
  }

  /** Logs a problem once while it lasts, and its end, by an empty text. */
  private void logOnce(String problem) {
    if (problem.equals(loggedProblem)) {
      return;
    }
    loggedProblem = problem;
    if (problem.isEmpty()) {
      logger.info("operator {}: its log can be read", settings.name());
    } else {
      logger.warn("operator {}: {}", settings.name(), problem);
    }
  }
}
