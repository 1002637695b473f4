package dev.shipshape.janitor.restart;

/** Why a stuck operator is not restarted. */
public enum RestartRefusal {
  /** A restart is no cure of this: the signature says what is. */
  OTHER_REMEDY,
  /** The settings only ask for reports. */
  NOT_ARMED,
  /** It was started too short a time ago. */
  COOLDOWN,
  /** It was restarted often enough within an hour. */
  HOURLY_BUDGET,
  /** It was restarted often enough within a day: a person must look. */
  DAILY_BUDGET,
  /** Its rollout is paused, or its pods are only replaced by hand. */
  PAUSED,
  /** Somebody rolls it out right now. */
  ROLLOUT_IN_PROGRESS,
  /** A person, or monitoring, says that it is under maintenance; or monitoring cannot be asked. */
  MAINTENANCE,
  /** It is scaled to 0. */
  NO_REPLICAS,
  /** The server's clock and ours disagree. */
  CLOCKS_APART,
  /** Its watches must go on failing after pruning, and have not failed since. */
  NOT_CONFIRMED,
  /** Pruning must come first, and failed. */
  PRUNE_FAILED,
  /** It changed while we looked at it. */
  CHANGED,
  /** Another replica leads, or the program ends. */
  STOPPING,
  /** It is not there, or the API server refused. */
  FAILED
}
