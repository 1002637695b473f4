package dev.shipshape.janitor.prune;

/** Why a run of the pruner deleted nothing although it was due. */
public enum BlockReason {
  /** A window of the settings. */
  BLACKOUT,
  /** The sessions could not be listed. */
  UNLISTED,
  /** The API server's clock and ours disagree. */
  CLOCKS_APART,
  /** More would go than a run may ever take. */
  TOO_MANY
}
