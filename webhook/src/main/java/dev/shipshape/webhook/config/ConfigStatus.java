package dev.shipshape.webhook.config;

/** The outcome that an object's own status reports for its configuration. */
public enum ConfigStatus {
  /** Neither provisioned nor known to be invalid. */
  UNDECIDED,
  INVALID,
  PROVISIONED,
  /** A revision's status reports "invalid", but no node's object confirms it. */
  SUSPECTED
}
