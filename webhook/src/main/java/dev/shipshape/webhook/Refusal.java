package dev.shipshape.webhook;

import java.util.Locale;

/** Why a call is refused, and what that is in HTTP and in the API machinery's words. */
enum Refusal {
  /** The configuration is known invalid. */
  KNOWN_INVALID(403, "Forbidden"),
  /** The object is of a version that the guard's rules are not written for. */
  OTHER_VERSION(400, "BadRequest"),
  /** The request lacks what it must have. */
  BAD_REQUEST(400, "BadRequest"),
  /** The body is larger than any two objects can be. */
  TOO_LARGE(413, "RequestEntityTooLarge"),
  /** The body is of a type that is not read. */
  UNSUPPORTED_TYPE(415, "UnsupportedMediaType"),
  /** The body did not come in time. */
  TOO_SLOW(408, "Timeout"),
  /** The body stalled while there was no room for others; a second try may find some. */
  STALLED(503, "ServiceUnavailable"),
  /** The client's certificate is not one that may call. */
  UNKNOWN_CALLER(403, "Forbidden"),
  /** It cannot be decided yet. */
  NOT_READY(503, "ServiceUnavailable"),
  /** More is asked than can be answered in time. */
  OVERLOADED(503, "ServiceUnavailable"),
  /** A mistake in this program. */
  INTERNAL_ERROR(500, "InternalError");

  private static final int SERVICE_UNAVAILABLE = 503;

  private final int code;
  private final String reason;

  Refusal(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  int code() {
    return code;
  }

  String reason() {
    return reason;
  }

  /** Whether another try soon may end otherwise. */
  boolean passes() {
    return code == SERVICE_UNAVAILABLE;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
