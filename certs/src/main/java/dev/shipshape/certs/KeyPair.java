package dev.shipshape.certs;

import java.time.Instant;

/**
 * A certificate and its private key, both as PEM text.
 *
 * @param certificate the certificate, PEM
 * @param key the PKCS #8 private key, PEM; never printed
 */
public record KeyPair(String certificate, String key, Instant notAfter) {

  /** Omits the key, so that no log line or error can contain it. */
  @Override
  public String toString() {
    return "KeyPair[notAfter=" + notAfter + "]";
  }
}
