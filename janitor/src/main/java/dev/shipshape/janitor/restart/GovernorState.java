package dev.shipshape.janitor.restart;

import org.jspecify.annotations.Nullable;

/** What the governor would say to a restart at this moment. */
public enum GovernorState {
  /** The operator may be restarted. */
  READY,
  /** It was started too short a time ago. */
  COOLING,
  /** It was restarted often enough within an hour. */
  HOURLY_BUDGET,
  /** It was restarted often enough within a day: restarts have stopped, and a person must look. */
  DAILY_BUDGET,
  /** Maintenance, a pause, a rollout under way, or no replicas. */
  BLOCKED,
  /** The Deployment could not be read, or clocks disagree, or nobody has looked yet. */
  UNKNOWN,
  /** Another replica leads. */
  STANDBY;

  /**
   * The state by why the governor forbids a restart.
   *
   * @param reason null if it does not
   */
  static GovernorState of(@Nullable RestartRefusal reason) {
    return switch (reason) {
      case null -> READY;
      case COOLDOWN -> COOLING;
      case HOURLY_BUDGET -> HOURLY_BUDGET;
      case DAILY_BUDGET -> DAILY_BUDGET;
      case MAINTENANCE, PAUSED, ROLLOUT_IN_PROGRESS, NO_REPLICAS -> BLOCKED;
      case CLOCKS_APART,
          OTHER_REMEDY,
          NOT_ARMED,
          NO_WAITING_SESSION,
          NOT_CONFIRMED,
          PRUNE_FAILED,
          CHANGED,
          STOPPING,
          FAILED ->
          UNKNOWN;
    };
  }
}
