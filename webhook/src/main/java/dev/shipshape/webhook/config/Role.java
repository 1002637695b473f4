package dev.shipshape.webhook.config;

/** The role of an object of a guarded resource. */
public sealed interface Role {
  /** The node that the object belongs to; the object's own name if the node is not known. */
  String node();

  record Current(String node) implements Role {}

  /** A record of a configuration that failed on this node. */
  record InvalidRecord(String node) implements Role {}

  /** A record of the last good configuration of this node. */
  record Backup(String node) implements Role {}
}
