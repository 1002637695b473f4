package dev.shipshape.webhook;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is to become of one write. */
sealed interface Decision {
  /**
   * It goes on.
   *
   * @param warning for whoever writes; null for none
   * @param audit for the API server's audit log
   */
  record Allow(Grounds grounds, @Nullable String warning, Map<String, String> audit)
      implements Decision {
    public Allow {
      audit = Map.copyOf(audit);
    }

    public Allow(Grounds grounds) {
      this(grounds, null, Map.of());
    }
  }

  /** It goes on with changes, as RFC 6902 operations in JSON. */
  record Patch(String operations) implements Decision {}

  /**
   * It is refused.
   *
   * @param audit for the API server's audit log
   */
  record Deny(Refusal refusal, String message, Map<String, String> audit) implements Decision {
    public Deny {
      audit = Map.copyOf(audit);
    }

    public Deny(Refusal refusal, String message) {
      this(refusal, message, Map.of());
    }
  }

  /**
   * It cannot be decided yet, but soon.
   *
   * @param audit for the API server's audit log, where somebody lets it through all the same
   */
  record TryLater(String why, Map<String, String> audit) implements Decision {
    public TryLater {
      audit = Map.copyOf(audit);
    }
  }

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
    /** Made from the newest valid revision. */
    NEWEST_VALID_REVISION,
    /** The rollout that is going on goes back to what the node had. */
    ROLLBACK,
    /** Written by the rollout that is going on, and it cannot be told whether it goes back. */
    ROLLOUT,
    /** Equal to what is known invalid as far as can be seen: secrets are not compared. */
    EQUAL_BUT_FOR_SECRETS,
    /** Equal to what took too long, for which nobody is refused. */
    EQUAL_TO_TIMED_OUT,
    /** Equal to what is only suspected to be invalid, for which nobody is refused. */
    SUSPECTED,
    /** Known invalid, but the webhook only watches. */
    WOULD_BE_REFUSED,
    /** Known invalid, and let through by somebody who may. */
    OVERRIDDEN,
    /** Written by somebody who is never refused. */
    EXEMPT_WRITER,
    /** There is nothing to stamp, or it is there already. */
    NOTHING_TO_STAMP;

    Outcome outcome() {
      return switch (this) {
        case WOULD_BE_REFUSED, EQUAL_BUT_FOR_SECRETS, EQUAL_TO_TIMED_OUT, SUSPECTED ->
            Outcome.WARNED;
        case OVERRIDDEN -> Outcome.OVERRIDDEN;
        case EXEMPT_WRITER, ROLLOUT -> Outcome.EXEMPTED;
        case NO_CONFIGURATION_WRITTEN,
            NOT_GUARDED,
            BEING_DELETED,
            RECORD,
            NOT_KNOWN_INVALID,
            UNCHANGED,
            RESTORES_BACKUP,
            NEWEST_VALID_REVISION,
            ROLLBACK,
            NOTHING_TO_STAMP ->
            Outcome.ALLOWED;
      };
    }

    /** As the audit log has it. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
