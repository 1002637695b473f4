package dev.shipshape.webhook.guard;

/** What an object's own status says of its configuration. */
public enum Standing {
  /** None of the others. */
  UNDECIDED,
  INVALID,
  PROVISIONED,
  /** A revision's status says "invalid", and nothing on any of its nodes bears that out. */
  SUSPECTED
}
