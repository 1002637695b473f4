package dev.shipshape.certs;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What is kept between two lives of the program, all PEM; each part may be empty or broken when
 * read.
 *
 * @param leaf the certificate that is served, {@code tls.crt}
 * @param leafKey its key, {@code tls.key}
 * @param bundle the authorities that clients trust, {@code ca.crt}
 * @param authorityKey the key of the authority that signs, one of the bundle's, {@code ca.key}
 */
public record StoredCertificates(String leaf, String leafKey, String bundle, String authorityKey) {
  private static final String LEAF = "tls.crt";
  private static final String LEAF_KEY = "tls.key";
  private static final String BUNDLE = "ca.crt";
  private static final String AUTHORITY_KEY = "ca.key";

  /** Nothing is kept yet. */
  public static final StoredCertificates NONE = new StoredCertificates("", "", "", "");

  /**
   * Reads the parts by their names.
   *
   * @param part gives a part's text by its name; the empty text where it is absent
   */
  public static StoredCertificates read(UnaryOperator<String> part) {
    return new StoredCertificates(
        part.apply(LEAF), part.apply(LEAF_KEY), part.apply(BUNDLE), part.apply(AUTHORITY_KEY));
  }

  /** Whether there is nothing in any part. */
  public boolean isEmpty() {
    return equals(NONE);
  }

  /** The parts by their names. */
  public Map<String, String> parts() {
    return Map.of(LEAF, leaf, LEAF_KEY, leafKey, BUNDLE, bundle, AUTHORITY_KEY, authorityKey);
  }

  /** Leaves everything out, so that no log line or error can carry a key. */
  @Override
  public String toString() {
    return "StoredCertificates";
  }
}
