package dev.shipshape.webhook.config;

/** How far a configuration that is known invalid is refused. */
public enum Scope {
  /** Known invalid anywhere is refused everywhere. */
  CLUSTER,
  /**
   * Known invalid on a node is refused on that node; everywhere where the objects name no node, as
   * revisions do.
   */
  NODE;

  /** Whether what this guard knows invalid on one node says nothing about another. */
  public boolean isPerNode(Guard guard) {
    return this == NODE && guard.namesNodes();
  }
}
