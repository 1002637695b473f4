package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.restart.OperatorHealthCheck.Symptom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells once what each restart came to, and, for hours after it, whether something took it back. It
 * goes by the newest restart that the cluster remembers: so it follows one that an earlier janitor
 * made, and one whose answer was lost.
 */
final class RolloutVerifier {
  private static final Duration ROLLOUT = Duration.ofMinutes(10);
  private static final Duration UNCLEAR = Duration.ofMinutes(20);

  /** GitOps tools look every few minutes to once an hour. */
  private static final Duration REVERT = Duration.ofHours(2);

  private final Duration window;

  /** What this process told last; the Deployment remembers it too, where that can be written. */
  private @Nullable Instant told;

  private @Nullable RestartResult toldResult;

  /**
   * @param window how long a log must be silent of failures for the symptom to be gone
   */
  RolloutVerifier(Duration window) {
    this.window = window;
  }

  /** What the newest restart came to; empty while that is open, and where it was told before. */
  Optional<RestartResult> verify(OperatorSnapshot operator, Symptom symptom, Instant now) {
    if (operator.restarts().isEmpty()) {
      return Optional.empty();
    }
    var restart = operator.restarts().getLast();
    var known = restart.equals(told) ? Optional.ofNullable(toldResult) : operator.result(restart);
    var result =
        operator.templateRestartedAt().equals(Optional.of(restart))
            ? known.isPresent() ? known : judge(operator, restart, symptom, now)
            : reverted(operator, restart, now);
    if (result.equals(known)) {
      return Optional.empty();
    }
    told = restart;
    toldResult = result.orElse(null);
    return result;
  }

  private static Optional<RestartResult> reverted(
      OperatorSnapshot operator, Instant restart, Instant now) {
    return operator.ours().contains(restart) && now.isBefore(restart.plus(REVERT))
        ? Optional.of(RestartResult.REVERTED)
        : Optional.empty();
  }

  private Optional<RestartResult> judge(
      OperatorSnapshot operator, Instant restart, Symptom symptom, Instant now) {
    if (!operator.ours().contains(restart) || !now.isBefore(restart.plus(REVERT))) {
      return Optional.empty();
    }
    if (!now.isBefore(restart.plus(UNCLEAR))) {
      return Optional.of(RestartResult.UNCLEAR);
    }
    if (operator.rollout().isInProgress()) {
      return now.isBefore(restart.plus(ROLLOUT))
          ? Optional.empty()
          : Optional.of(RestartResult.OVERDUE);
    }
    // Pods come up long after the restart is written, and until then nobody watched them.
    var start = operator.lastStart();
    var settled = (start == null || start.isBefore(restart) ? restart : start).plus(window);
    if (now.isBefore(settled) || symptom == Symptom.UNCLEAR) {
      return Optional.empty();
    }
    return Optional.of(
        symptom == Symptom.PRESENT ? RestartResult.INEFFECTIVE : RestartResult.CURED);
  }
}
