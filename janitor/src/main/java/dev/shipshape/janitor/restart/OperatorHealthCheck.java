package dev.shipshape.janitor.restart;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the operator's log and evaluates the signals in it. */
final class OperatorHealthCheck {
  private static final Logger logger = LoggerFactory.getLogger(OperatorHealthCheck.class);

  private final OperatorLog log;
  private final FailureThreshold threshold;
  private final HealthSignal watchFailures = new WatchFailures();
  private final HealthSignal logStall;
  private final WaitingSessions sessions;
  private final InstantSource clock;

  /** What was logged last of why the operator cannot be watched. */
  private String logged = "";

  OperatorHealthCheck(
      OperatorLog log,
      FailureThreshold threshold,
      LogStall logStall,
      WaitingSessions sessions,
      InstantSource clock) {
    this.log = log;
    this.threshold = threshold;
    this.logStall = logStall;
    this.sessions = sessions;
    this.clock = clock;
  }

  OperatorHealth evaluate(OperatorSnapshot operator) {
    var now = clock.instant();
    var instances = read(operator, now);
    logOnce(
        instances.stream()
            .flatMap(instance -> instance.unreadable().stream())
            .map("its log cannot be read: "::concat)
            .collect(Collectors.joining("; ")));
    return evaluate(instances, now);
  }

  /** Where the Deployment itself cannot be read. */
  OperatorHealth unreadable(String reason) {
    logOnce(reason);
    return evaluate(List.of(InstanceHealth.unreadable(reason)), clock.instant());
  }

  private OperatorHealth evaluate(List<InstanceHealth> instances, Instant now) {
    var failures = watchFailures.evaluate(instances, now);
    var stall = logStall.evaluate(instances, now);
    return new OperatorHealth(
        WatchFailures.worst(instances),
        stall,
        sessions.recent(),
        reason(watchFailures, failures).or(() -> reason(logStall, stall)));
  }

  private List<InstanceHealth> read(OperatorSnapshot operator, Instant now) {
    var since = now.minus(threshold.window());
    try {
      return log.read(operator, since, source -> new LogScan(source, threshold, since, now));
    } catch (IOException e) {
      return List.of(InstanceHealth.unreadable(e.toString()));
    }
  }

  private static Optional<String> reason(HealthSignal signal, SignalState state) {
    return signal.isArmed() && state instanceof SignalState.Present(String detail)
        ? Optional.of(detail)
        : Optional.empty();
  }

  /**
   * Logs a problem that lasts only once.
   *
   * @param problem empty for none
   */
  private void logOnce(String problem) {
    if (problem.equals(logged)) {
      return;
    }
    logged = problem;
    if (problem.isEmpty()) {
      logger.info("operator: its log can be read");
    } else {
      logger.warn("operator: {}", problem);
    }
  }
}
