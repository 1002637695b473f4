package dev.shipshape.webhook.admission;

import static dev.shipshape.webhook.admission.Reason.Decision.ALLOWED;
import static dev.shipshape.webhook.admission.Reason.Decision.DENIED;
import static dev.shipshape.webhook.admission.Reason.Decision.EXEMPTED;
import static dev.shipshape.webhook.admission.Reason.Decision.FAILED;
import static dev.shipshape.webhook.admission.Reason.Decision.POSTPONED;
import static dev.shipshape.webhook.admission.Reason.Decision.REFUSED;
import static dev.shipshape.webhook.admission.Reason.Decision.WARNED;

import java.util.Locale;

/** Why a write goes on, or does not; with what that is in metrics and in HTTP. */
public enum Reason {
  /** No create or update of an object itself. */
  NO_CONFIGURATION_WRITTEN(ALLOWED),
  /** The webhook's own request, which shows that the API server calls it. */
  PROOF(ALLOWED),
  /** A resource that no guard names. */
  NOT_GUARDED(ALLOWED),
  /** On its way out; finalizers must come off. */
  BEING_DELETED(ALLOWED),
  /** A record of a configuration, not one in use. */
  RECORD(ALLOWED),
  /** Its configuration is not among the known invalid. */
  NOT_KNOWN_INVALID(ALLOWED),
  /** The configuration is the one already stored. */
  UNCHANGED(ALLOWED),
  /** The configuration that the node goes back to. */
  RESTORES_BACKUP(ALLOWED),
  /** It goes back to what the node worked with. */
  ROLLBACK(ALLOWED),
  /** There is no hash to write, or it is there already. */
  NOTHING_TO_ANNOTATE(ALLOWED),
  /** The hashes are written into the object. */
  ANNOTATED(Decision.PATCHED),
  /** The object's annotations leave no room for hashes. */
  UNSTAMPED(WARNED),
  /** Equal to what is known invalid as far as can be seen: secrets are not compared. */
  EQUAL_BUT_FOR_SECRETS(WARNED),
  /** Equal to what is only suspected to be invalid, for which nobody is refused. */
  SUSPECTED(WARNED),
  /** Known invalid, and the guard is not armed. */
  WOULD_BE_REFUSED(WARNED),
  /** The same, of a guard's own probe. */
  PROBE_WOULD_BE_REFUSED(Decision.PROBE),
  /** Known invalid, and let through by somebody who may. */
  OVERRIDDEN(Decision.OVERRIDDEN),
  /** Written by the rollout that is going on, and it cannot be told whether it goes back. */
  ROLLOUT(EXEMPTED),
  /** The configuration is known invalid. */
  KNOWN_INVALID(DENIED, 403, "Forbidden"),
  /** The same, of a guard's own probe. */
  PROBE(Decision.PROBE, 403, "Forbidden"),
  /** The object is of a version that the guard's rules are not written for. */
  OTHER_VERSION(DENIED, 400, "BadRequest"),
  /** The request lacks what it must have. */
  BAD_REQUEST(REFUSED, 400, "BadRequest"),
  /** The body is larger than any two objects can be. */
  TOO_LARGE(REFUSED, 413, "RequestEntityTooLarge"),
  /** It cannot be decided yet. */
  NOT_READY(POSTPONED, 503, "ServiceUnavailable"),
  /** More is asked than can be answered in time. */
  OVERLOADED(POSTPONED, 503, "ServiceUnavailable"),
  /** A mistake in this program. */
  INTERNAL_ERROR(FAILED, 500, "InternalError");

  /** What became of a call, as metrics count it. */
  public enum Decision {
    ALLOWED,
    /** Allowed, though it would be refused if the guard were armed, or could compare secrets. */
    WARNED,
    /** Known invalid, and let through by somebody who may. */
    OVERRIDDEN,
    /** Not refused now: a rollout goes on, and nobody can tell whether it goes back. */
    EXEMPTED,
    PATCHED,
    DENIED,
    /** A guard's own probe, refused or warned of: somebody tries whether the guard works. */
    PROBE,
    /** Asked to come again. */
    POSTPONED,
    /** Not understood, or not to be answered. */
    REFUSED,
    /** A mistake in this program. */
    FAILED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int OK = 200;

  private final Decision decision;
  private final int code;
  private final String status;

  Reason(Decision decision) {
    this(decision, OK, "");
  }

  Reason(Decision decision, int code, String status) {
    this.decision = decision;
    this.code = code;
    this.status = status;
  }

  /** What metrics count it as. */
  public Decision decision() {
    return decision;
  }

  /** Whether it is refused for what it configures. */
  public boolean isKnownInvalid() {
    return this == KNOWN_INVALID || this == PROBE;
  }

  /** Whether the write does not go on for it. */
  public boolean rejects() {
    return code != OK;
  }

  /** Whether there is nothing to tell of it. */
  boolean isPlain() {
    return decision == ALLOWED || decision == Decision.PATCHED;
  }

  /** The HTTP status code. */
  int code() {
    return code;
  }

  /** The reason in the API machinery's words; empty where the write goes on. */
  String status() {
    return status;
  }

  /** Whether another try soon may end otherwise. */
  boolean isRetryable() {
    return decision == POSTPONED;
  }

  /** As a label of metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As the audit log has it. */
  public String word() {
    return label().replace('_', '-');
  }
}
