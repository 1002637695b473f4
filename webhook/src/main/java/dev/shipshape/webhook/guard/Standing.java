package dev.shipshape.webhook.guard;

/** What an object's own status says of its configuration. */
public enum Standing {
  /** Neither of the others. */
  UNDECIDED,
  INVALID,
  PROVISIONED
}
