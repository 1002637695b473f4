package dev.shipshape.webhook;

/** How far a configuration that is known invalid is refused. */
public enum Scope {
  /** Known invalid anywhere is refused everywhere. */
  CLUSTER,
  /** Known invalid on a node is refused on that node. */
  NODE
}
