package dev.shipshape.webhook.admission;

/** Refuses a call before any decision about its object. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  Refused(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }

  /** The problem, in one line. */
  public String message() {
    return String.valueOf(getMessage());
  }
}
