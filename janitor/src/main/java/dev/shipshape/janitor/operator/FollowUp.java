package dev.shipshape.janitor.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Follows a restart to its end, decided from the Deployment as it stands at each later check. It
 * begins with the newest restart that the Deployment remembers, so that a janitor that is itself
 * restarted goes on with it.
 */
final class FollowUp {
  private static final Duration ROLLOUT = Duration.ofMinutes(10);

  private FollowUp() {}

  /** Whether a restart is so recent that it is still to be followed. */
  static boolean isDue(Rollout rollout, Instant now) {
    return newest(rollout)
        .filter(restart -> now.isBefore(restart.plus(ROLLOUT.multipliedBy(2))))
        .isPresent();
  }

  /**
   * What became of the newest restart; empty while that is open.
   *
   * @param window how long a log must be silent of failures for the symptom to be gone
   */
  static Optional<Aftermath> of(
      Rollout rollout, Diagnosis diagnosis, Duration window, Instant now) {
    var restart = newest(rollout).orElse(null);
    if (restart == null) {
      return Optional.empty();
    }
    if (!restart.toString().equals(rollout.templateRestartedAt())) {
      return Optional.of(Aftermath.REVERTED);
    }
    if (rollout.inProgress()) {
      return now.isBefore(restart.plus(ROLLOUT))
          ? Optional.empty()
          : Optional.of(Aftermath.OVERDUE);
    }
    if (now.isBefore(restart.plus(window))) {
      return Optional.empty();
    }
    return switch (diagnosis) {
      case Diagnosis.Stuck _ -> Optional.of(Aftermath.INEFFECTIVE);
      case Diagnosis.Healthy _, Diagnosis.Recovered _ -> Optional.of(Aftermath.CURED);
      case Diagnosis.Failing _, Diagnosis.Unreadable _ -> Optional.empty();
    };
  }

  private static Optional<Instant> newest(Rollout rollout) {
    return rollout.ours().isEmpty() ? Optional.empty() : Optional.of(rollout.ours().getLast());
  }
}
