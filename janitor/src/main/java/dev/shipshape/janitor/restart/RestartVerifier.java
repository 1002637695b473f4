package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.restart.OperatorMonitor.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports the result of each restart once, and for two hours whether something reverted it. It
 * checks the newest restart that is recorded in the cluster: also one by an earlier janitor, and
 * one whose response was lost.
 */
final class RestartVerifier {
  private static final Duration ROLLOUT_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration MIN_RESULT_TIMEOUT = Duration.ofMinutes(20);
  private static final Duration MAX_RESULT_TIMEOUT = Duration.ofMinutes(110);

  /** GitOps tools sync at intervals of a few minutes to one hour. */
  private static final Duration REVERT_PERIOD = Duration.ofHours(2);

  private final Duration window;
  private final Duration cureWindow;
  private final Duration resultTimeout;

  /** The restart that this process reported last. An annotation of the workload records it too. */
  private @Nullable Instant reported;

  private @Nullable RestartResult reportedResult;

  /**
   * @param window how long lines from before the restart count
   * @param cureWindow how long no symptom may show until it is cured
   */
  RestartVerifier(Duration window, Duration cureWindow) {
    this.window = window;
    this.cureWindow = cureWindow;
    var twice = Collections.max(List.of(cureWindow.multipliedBy(2), MIN_RESULT_TIMEOUT));
    this.resultTimeout = Collections.min(List.of(twice, MAX_RESULT_TIMEOUT));
  }

  /** Returns the result of the newest restart; empty if not known yet, or already reported. */
  Optional<RestartResult> verify(OperatorSnapshot operator, Health health, Instant now) {
    if (operator.restarts().isEmpty()) {
      return Optional.empty();
    }
    var restart = operator.restarts().getLast();
    if (!operator.ours().contains(restart) || !now.isBefore(restart.plus(REVERT_PERIOD))) {
      return Optional.empty();
    }
    var known =
        restart.equals(reported) ? Optional.ofNullable(reportedResult) : operator.result(restart);
    var template = operator.rollout().template();
    var isReverted = !OperatorSnapshot.restartedAt(template).equals(Optional.of(restart));
    var result =
        isReverted
            ? Optional.of(RestartResult.REVERTED)
            : known.or(() -> evaluate(operator, restart, health, now));
    if (result.equals(known)) {
      return Optional.empty();
    }
    reported = restart;
    reportedResult = result.orElse(null);
    return result;
  }

  private Optional<RestartResult> evaluate(
      OperatorSnapshot operator, Instant restart, Health health, Instant now) {
    if (!now.isBefore(restart.plus(resultTimeout))) {
      return Optional.of(RestartResult.UNCLEAR);
    }
    if (operator.rollout().isInProgress()) {
      return now.isBefore(restart.plus(ROLLOUT_TIMEOUT))
          ? Optional.empty()
          : Optional.of(RestartResult.OVERDUE);
    }
    // The window begins when the new pods start, which may be long after the write.
    var start = operator.lastStart();
    var begin = start == null || start.isBefore(restart) ? restart : start;
    if (now.isBefore(begin.plus(window))) {
      return Optional.empty();
    }
    if (health.restartReason().isPresent()) {
      return Optional.of(RestartResult.INEFFECTIVE);
    }
    if (now.isBefore(begin.plus(cureWindow))) {
      return Optional.empty();
    }
    return switch (health.diagnosis().kind()) {
      case HEALTHY, RECOVERED -> Optional.of(RestartResult.CURED);
      case FAILING, STUCK, UNREADABLE -> Optional.empty();
    };
  }
}
