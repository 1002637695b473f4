package dev.shipshape.janitor.prune;

/** Why a run deleted nothing: docs/concepts/pruning.md#what-blocks-a-run. */
public enum BlockReason {
  BLACKOUT,
  UNLISTED,
  CLOCKS_APART,
  TOO_MANY
}
