package dev.shipshape.webhook.config;

/** What an object of a guarded resource is. */
public sealed interface Role {
  /** The node that the object is about; the object's own name where it says no other. */
  String node();

  /** A configuration in use or on its way. */
  record Current(String node) implements Role {}

  /** The record of a configuration that failed on this node. */
  record InvalidRecord(String node) implements Role {}

  /** The record of a configuration that worked on this node, to go back to. */
  record Backup(String node) implements Role {}
}
