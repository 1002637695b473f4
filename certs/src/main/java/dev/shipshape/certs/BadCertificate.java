package dev.shipshape.certs;

/** Invalid certificates or keys. The message names the part and the mistake, but never a key. */
public final class BadCertificate extends Exception {
  private static final long serialVersionUID = 1L;

  BadCertificate(String message) {
    super(message);
  }

  BadCertificate(String message, Throwable cause) {
    super(message, cause);
  }

  /** The mistake, in one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
