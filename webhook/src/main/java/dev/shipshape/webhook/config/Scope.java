package dev.shipshape.webhook.config;

/** Where a configuration that is known invalid is refused. */
public enum Scope {
  /** Refused on all nodes. */
  CLUSTER,
  /**
   * Refused only on the nodes on which it failed. Refused on all nodes if object names contain no
   * node, as with revisions.
   */
  NODE;

  /** Whether a failure on one node does not count for other nodes. */
  public boolean isPerNode(Guard guard) {
    return this == NODE && guard.namesNodes();
  }
}
