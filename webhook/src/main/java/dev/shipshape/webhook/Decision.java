package dev.shipshape.webhook;

/** What is to become of one write. */
sealed interface Decision {
  /** It goes on. */
  record Allow(Grounds grounds) implements Decision {}

  /** It goes on with changes, as RFC 6902 operations in JSON. */
  record Patch(String operations) implements Decision {}

  /** It is refused. */
  record Deny(Refusal refusal, String message) implements Decision {}

  /** It cannot be decided yet, but soon. */
  record TryLater(String why) implements Decision {}

  /** Why a write goes on. */
  enum Grounds {
    /** No create or update of an object itself. */
    NO_CONFIGURATION_WRITTEN,
    /** A resource that no guard names. */
    NOT_GUARDED,
    /** On its way out; finalizers must come off. */
    BEING_DELETED,
    /** A record of a configuration, not one in use. */
    RECORD,
    /** Its configuration is not among the known invalid. */
    NOT_KNOWN_INVALID,
    /** The configuration is the one already stored. */
    UNCHANGED,
    /** The configuration that the node goes back to. */
    RESTORES_BACKUP,
    /** There is nothing to stamp, or it is there already. */
    NOTHING_TO_STAMP
  }
}
