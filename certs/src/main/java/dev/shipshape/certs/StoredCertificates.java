package dev.shipshape.certs;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The content of the Secret, all PEM; each part may be empty or invalid when read.
 *
 * @param leaf the served certificate, {@code tls.crt}
 * @param leafKey its key, {@code tls.key}
 * @param bundle the authorities that clients trust, {@code ca.crt}
 * @param authorityKey the key of the signing authority in the bundle, {@code ca.key}
 */
public record StoredCertificates(String leaf, String leafKey, String bundle, String authorityKey) {
  private static final String LEAF = "tls.crt";
  private static final String LEAF_KEY = "tls.key";
  private static final String BUNDLE = "ca.crt";
  private static final String AUTHORITY_KEY = "ca.key";

  public static final StoredCertificates NONE = new StoredCertificates("", "", "", "");

  /** Reads the parts by a function that returns the text of a name; empty if it is absent. */
  public static StoredCertificates read(UnaryOperator<String> part) {
    return new StoredCertificates(
        part.apply(LEAF), part.apply(LEAF_KEY), part.apply(BUNDLE), part.apply(AUTHORITY_KEY));
  }

  public boolean isEmpty() {
    return equals(NONE);
  }

  public Map<String, String> parts() {
    return Map.of(LEAF, leaf, LEAF_KEY, leafKey, BUNDLE, bundle, AUTHORITY_KEY, authorityKey);
  }

  /** Omits everything, so that no log line or error can contain a key. */
  @Override
  public String toString() {
    return "StoredCertificates";
  }
}
