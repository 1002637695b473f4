package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.operator.Findings.Symptom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Follows a restart to its end, decided from the Deployment as it stands at each later check. */
final class FollowUp {
  private static final Duration ROLLOUT = Duration.ofMinutes(10);

  /** GitOps tools look every few minutes to once an hour. */
  private static final Duration REVERT = Duration.ofHours(2);

  private FollowUp() {}

  /** The newest restart that the cluster remembers, ours or somebody else's. */
  static Optional<Instant> newest(Rollout rollout) {
    var restarts = rollout.restarts();
    return restarts.isEmpty() ? Optional.empty() : Optional.of(restarts.getLast());
  }

  /** Whether a restart is so recent that what becomes of it is still to be seen. */
  static boolean isOpen(Instant restart, Instant now) {
    return now.isBefore(restart.plus(ROLLOUT.multipliedBy(2)));
  }

  /** Whether it is so recent that taking it back is worth telling. */
  static boolean isWatched(Instant restart, Instant now) {
    return now.isBefore(restart.plus(REVERT));
  }

  /**
   * Whether something took it back. Whatever did may have taken what we noted about it, too: so
   * this is asked of anybody's restart.
   */
  static boolean isReverted(Rollout rollout, Instant restart) {
    return !restart.equals(rollout.templateRestartedAt());
  }

  static boolean isOurs(Rollout rollout, Instant restart) {
    return !rollout.ours().isEmpty() && restart.equals(rollout.ours().getLast());
  }

  /**
   * What became of a restart that still stands; empty while that is open.
   *
   * @param window how long a log must be silent of failures for the symptom to be gone
   */
  static Optional<Aftermath> ended(
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
}
