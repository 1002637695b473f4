package dev.shipshape.webhook.config;

/**
 * The outcome of an object's configuration: what its status reports; of a revision, what the nodes'
 * objects make of that.
 */
public enum ConfigStatus {
  /** Neither provisioned nor known to be invalid. */
  UNDECIDED,
  INVALID,
  PROVISIONED,
  /** A revision's status reports "invalid", but no node's object confirms it. */
  SUSPECTED
}
