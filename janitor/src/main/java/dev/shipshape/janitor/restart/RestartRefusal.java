package dev.shipshape.janitor.restart;

/** Why a stuck operator is not restarted: docs/concepts/restarts.md#what-forbids-a-restart. */
public enum RestartRefusal {
  OTHER_REMEDY,
  NOT_ARMED,
  COOLDOWN,
  HOURLY_BUDGET,
  DAILY_BUDGET,
  PAUSED,
  ROLLOUT_IN_PROGRESS,
  MAINTENANCE,
  NO_REPLICAS,
  CLOCKS_APART,
  NOT_CONFIRMED,
  PRUNE_FAILED,
  CHANGED,
  STOPPING,
  FAILED
}
