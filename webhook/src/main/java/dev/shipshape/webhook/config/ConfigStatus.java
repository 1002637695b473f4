package dev.shipshape.webhook.config;

/** What an object's own status says of its configuration. */
public enum ConfigStatus {
  /** None of the others. */
  UNDECIDED,
  INVALID,
  PROVISIONED,
  /** A revision's status says "invalid", and nothing on any of its nodes bears that out. */
  SUSPECTED
}
