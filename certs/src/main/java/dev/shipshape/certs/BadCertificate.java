package dev.shipshape.certs;

/**
 * Certificates or keys that cannot be used. The message names the part and what is wrong with it,
 * and never holds any of a key.
 */
public final class BadCertificate extends Exception {
  private static final long serialVersionUID = 1L;

  BadCertificate(String message) {
    super(message);
  }

  BadCertificate(String message, Throwable cause) {
    super(message, cause);
  }

  /** What is wrong, in one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
