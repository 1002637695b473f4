package dev.shipshape.webhook.admission;

/** A call that is refused before anything is decided about its request. */
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

  /** What is wrong, in one line. */
  public String message() {
    return String.valueOf(getMessage());
  }
}
