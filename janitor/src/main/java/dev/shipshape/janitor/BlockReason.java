package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.Plan;

/** Why a run of the pruner deleted nothing although it was due. */
enum BlockReason {
  /** A window of the settings. */
  BLACKOUT,
  /** The sessions could not be listed. */
  UNLISTED,
  /** The API server's clock and ours disagree. */
  CLOCKS_APART,
  /** More would go than a run may ever take. */
  TOO_MANY;

  static BlockReason by(Plan.Stop stop) {
    return switch (stop) {
      case Plan.Stop.ClocksApart _ -> CLOCKS_APART;
      case Plan.Stop.TooMany _ -> TOO_MANY;
    };
  }
}
