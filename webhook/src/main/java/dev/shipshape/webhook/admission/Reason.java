package dev.shipshape.webhook.admission;

import java.util.Locale;

/** The reason of a decision, with its values in metrics and HTTP. */
public enum Reason {
  /** No create or update of the object itself. */
  NO_CONFIGURATION_WRITTEN(Outcome.ALLOWED),
  /** The webhook's own test request. */
  PROOF(Outcome.ALLOWED),
  NOT_GUARDED(Outcome.ALLOWED),
  /** A record, not a configuration in use. */
  RECORD(Outcome.ALLOWED),
  NOT_KNOWN_INVALID(Outcome.ALLOWED),
  /** The configuration is the one already stored: labels and finalizers stay removable. */
  UNCHANGED(Outcome.ALLOWED),
  /** The configuration is the node's backup. */
  RESTORES_BACKUP(Outcome.ALLOWED),
  /** The configuration is the last known good one. */
  ROLLBACK(Outcome.ALLOWED),
  NOTHING_TO_ANNOTATE(Outcome.ALLOWED),
  ANNOTATED(Outcome.PATCHED),
  UNSTAMPED(Outcome.WARNED),
  /** Known invalid, but secrets are not compared and may differ. */
  EQUAL_BUT_FOR_SECRETS(Outcome.WARNED),
  SUSPECTED(Outcome.WARNED),
  /** Known invalid, but the guard is not armed. */
  WOULD_BE_REFUSED(Outcome.WARNED),
  /** {@link #WOULD_BE_REFUSED} for a probe. */
  PROBE_WOULD_BE_REFUSED(Outcome.PROBE),
  /** Known invalid, but overridden by a user with the permission. */
  OVERRIDDEN(Outcome.OVERRIDDEN),
  /** Written by the rollout in progress; may be a rollback. */
  ROLLOUT(Outcome.EXEMPTED),
  KNOWN_INVALID(Outcome.DENIED, 403, "Forbidden"),
  /** {@link #KNOWN_INVALID} for a probe. */
  PROBE(Outcome.PROBE, 403, "Forbidden"),
  /** The guard's rules are written for another version. */
  OTHER_VERSION(Outcome.DENIED, 400, "BadRequest"),
  BAD_REQUEST(Outcome.REFUSED, 400, "BadRequest"),
  TOO_LARGE(Outcome.REFUSED, 413, "RequestEntityTooLarge"),
  /** The index cannot be used yet, or is stale. */
  NOT_READY(Outcome.POSTPONED, 503, "ServiceUnavailable"),
  /** Too many calls to respond in time. */
  OVERLOADED(Outcome.POSTPONED, 503, "ServiceUnavailable"),
  INTERNAL_ERROR(Outcome.FAILED, 500, "InternalError");

  /** The outcome of a call in metrics. */
  public enum Outcome {
    ALLOWED,
    /** Allowed, but would be refused if the guard were armed or secrets could be compared. */
    WARNED,
    OVERRIDDEN,
    /** Allowed, because the rollout in progress may be a rollback. */
    EXEMPTED,
    PATCHED,
    DENIED,
    /** A probe, refused or warned of. */
    PROBE,
    /** To be retried. */
    POSTPONED,
    /** Malformed or over a limit. */
    REFUSED,
    FAILED
  }

  private static final int OK = 200;

  private final Outcome outcome;
  private final int code;
  private final String status;

  Reason(Outcome outcome) {
    this(outcome, OK, "");
  }

  Reason(Outcome outcome, int code, String status) {
    this.outcome = outcome;
    this.code = code;
    this.status = status;
  }

  public Outcome outcome() {
    return outcome;
  }

  public boolean isKnownInvalid() {
    return this == KNOWN_INVALID || this == PROBE;
  }

  public boolean rejects() {
    return code != OK;
  }

  /** Whether the decision is routine and logged at debug level only. */
  boolean isRoutine() {
    return outcome == Outcome.ALLOWED || outcome == Outcome.PATCHED;
  }

  int code() {
    return code;
  }

  /** The reason in a Kubernetes Status; empty if the write is allowed. */
  String status() {
    return status;
  }

  boolean isRetryable() {
    return outcome == Outcome.POSTPONED;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String auditLabel() {
    return label().replace('_', '-');
  }
}
