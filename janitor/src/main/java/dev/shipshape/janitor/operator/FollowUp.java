package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.operator.Findings.Symptom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Follows a restart to its end, decided from the Deployment as it stands at each later check. It
 * begins with the newest restart that the cluster remembers, so that a janitor that is itself
 * restarted goes on with it.
 */
final class FollowUp {
  private static final Duration ROLLOUT = Duration.ofMinutes(10);

  private FollowUp() {}

  /** Whether a restart is so recent that it is still to be followed. */
  static boolean isDue(Rollout rollout, Instant now) {
    return newest(rollout.restarts())
        .filter(restart -> now.isBefore(restart.plus(ROLLOUT.multipliedBy(2))))
        .isPresent();
  }

  /**
   * What became of the newest restart; empty while that is open, or where it was somebody else's.
   *
   * @param window how long a log must be silent of failures for the symptom to be gone
   */
  static Optional<Aftermath> of(Rollout rollout, Symptom symptom, Duration window, Instant now) {
    var restart = newest(rollout.restarts());
    if (restart.isEmpty()) {
      return Optional.empty();
    }
    // Whatever took it back may have taken what we noted about it, too: so ask of anybody's.
    if (!restart.equals(Optional.ofNullable(rollout.templateRestartedAt()))) {
      return Optional.of(Aftermath.REVERTED);
    }
    return restart.equals(newest(rollout.ours()))
        ? ended(rollout, symptom, restart.get(), window, now)
        : Optional.empty();
  }

  private static Optional<Aftermath> ended(
      Rollout rollout, Symptom symptom, Instant restart, Duration window, Instant now) {
    if (rollout.inProgress()) {
      return now.isBefore(restart.plus(ROLLOUT))
          ? Optional.empty()
          : Optional.of(Aftermath.OVERDUE);
    }
    if (now.isBefore(lastStart(rollout, restart).plus(window))) {
      return Optional.empty();
    }
    return switch (symptom) {
      case PRESENT -> Optional.of(Aftermath.INEFFECTIVE);
      case GONE -> Optional.of(Aftermath.CURED);
      case UNCLEAR -> Optional.empty();
    };
  }

  /** Pods come up long after the restart is written, and until then nobody watched them. */
  private static Instant lastStart(Rollout rollout, Instant restart) {
    var last = rollout.lastStart();
    return last != null && last.isAfter(restart) ? last : restart;
  }

  private static Optional<Instant> newest(List<Instant> restarts) {
    return restarts.isEmpty() ? Optional.empty() : Optional.of(restarts.getLast());
  }
}
