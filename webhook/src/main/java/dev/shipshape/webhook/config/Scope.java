package dev.shipshape.webhook.config;

/** Where a configuration that is known invalid is refused. */
public enum Scope {
  CLUSTER,
  /** Refused on the nodes where it failed; on all if names contain no node, as with revisions. */
  NODE;

  /** Whether a failure on one node does not count for other nodes. */
  public boolean isPerNode(Guard guard) {
    return this == NODE && guard.namesNodes();
  }
}
