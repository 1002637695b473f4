package dev.shipshape.webhook.admission;

import static dev.shipshape.webhook.admission.Reason.Decision.ALLOWED;
import static dev.shipshape.webhook.admission.Reason.Decision.DENIED;
import static dev.shipshape.webhook.admission.Reason.Decision.EXEMPTED;
import static dev.shipshape.webhook.admission.Reason.Decision.FAILED;
import static dev.shipshape.webhook.admission.Reason.Decision.POSTPONED;
import static dev.shipshape.webhook.admission.Reason.Decision.REFUSED;
import static dev.shipshape.webhook.admission.Reason.Decision.WARNED;

import java.util.Locale;

/** The reason of a decision, with its values in metrics and HTTP. */
public enum Reason {
  /** No create or update of the object itself. */
  NO_CONFIGURATION_WRITTEN(ALLOWED),
  /** The webhook's own test request. */
  PROOF(ALLOWED),
  NOT_GUARDED(ALLOWED),
  /** A record, not a configuration in use. */
  RECORD(ALLOWED),
  NOT_KNOWN_INVALID(ALLOWED),
  /** The configuration is the one already stored: labels and finalizers stay removable. */
  UNCHANGED(ALLOWED),
  /** The configuration is the node's backup. */
  RESTORES_BACKUP(ALLOWED),
  /** The configuration is the last known good one. */
  ROLLBACK(ALLOWED),
  NOTHING_TO_ANNOTATE(ALLOWED),
  ANNOTATED(Decision.PATCHED),
  UNSTAMPED(WARNED),
  /** Known invalid, but secrets are not compared and may differ. */
  EQUAL_BUT_FOR_SECRETS(WARNED),
  SUSPECTED(WARNED),
  /** Known invalid, but the guard is not armed. */
  WOULD_BE_REFUSED(WARNED),
  /** {@link #WOULD_BE_REFUSED} for a test object of a guard. */
  PROBE_WOULD_BE_REFUSED(Decision.PROBE),
  /** Known invalid, but overridden by a user with the permission. */
  OVERRIDDEN(Decision.OVERRIDDEN),
  /** Written by the rollout in progress; may be a rollback. */
  ROLLOUT(EXEMPTED),
  KNOWN_INVALID(DENIED, 403, "Forbidden"),
  /** {@link #KNOWN_INVALID} for a test object of a guard. */
  PROBE(Decision.PROBE, 403, "Forbidden"),
  /** The guard's rules are written for another version. */
  OTHER_VERSION(DENIED, 400, "BadRequest"),
  BAD_REQUEST(REFUSED, 400, "BadRequest"),
  TOO_LARGE(REFUSED, 413, "RequestEntityTooLarge"),
  /** The index cannot be used yet, or is stale. */
  NOT_READY(POSTPONED, 503, "ServiceUnavailable"),
  /** Too many calls to respond in time. */
  OVERLOADED(POSTPONED, 503, "ServiceUnavailable"),
  INTERNAL_ERROR(FAILED, 500, "InternalError");

  /** The outcome of a call in metrics. */
  public enum Decision {
    ALLOWED,
    /** Allowed, but would be refused if the guard were armed or secrets could be compared. */
    WARNED,
    OVERRIDDEN,
    /** Allowed, because the rollout in progress may be a rollback. */
    EXEMPTED,
    PATCHED,
    DENIED,
    /** A test object of a guard, refused or warned of. */
    PROBE,
    /** To be retried. */
    POSTPONED,
    /** Malformed or over a limit. */
    REFUSED,
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

  public Decision decision() {
    return decision;
  }

  public boolean isKnownInvalid() {
    return this == KNOWN_INVALID || this == PROBE;
  }

  public boolean rejects() {
    return code != OK;
  }

  /** Whether the decision is routine and logged at debug level only. */
  boolean isRoutine() {
    return decision == ALLOWED || decision == Decision.PATCHED;
  }

  int code() {
    return code;
  }

  /** The reason in a Kubernetes Status; empty if the write is allowed. */
  String status() {
    return status;
  }

  boolean isRetryable() {
    return decision == POSTPONED;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String auditLabel() {
    return label().replace('_', '-');
  }
}
