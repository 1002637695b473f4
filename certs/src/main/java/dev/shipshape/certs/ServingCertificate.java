package dev.shipshape.certs;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The certificate of a TLS server, and the authorities that its clients must trust.
 *
 * @param pair the leaf with its intermediate certificates, and its key
 * @param bundle the authorities to trust, PEM: the {@code caBundle} of a webhook configuration;
 *     empty for a placeholder
 */
public record ServingCertificate(KeyPair pair, String bundle) {
  /** Signature algorithms that Java accepts, but Go, and so the API server, rejects. */
  private static final Pattern OUTDATED = Pattern.compile("SHA-?1|MD");

  /**
   * Checks that the three parts match: the key is that of the leaf, and the leaf is signed by an
   * authority of the bundle. Does not check the validity period: see {@link #validityProblem}.
   *
   * @throws BadCertificate if they do not match
   */
  public static ServingCertificate of(String certificate, String key, String bundle)
      throws BadCertificate {
    var chain = Pem.certificates("tls.crt", certificate);
    var secret = Pem.key("tls.key", key);
    var leaf = chain.getFirst();
    if (!Keys.isPair(leaf.getPublicKey(), secret)) {
      throw new BadCertificate("tls.key is not the key of the certificate in tls.crt");
    }
    var authorities = Pem.certificates("ca.crt", bundle);
    if (authority(chain, authorities).isEmpty()) {
      throw new BadCertificate(
          "the certificate in tls.crt is not signed by an authority in ca.crt");
    }
    if (Authority.names(leaf).isEmpty()) {
      throw new BadCertificate(
          "the certificate in tls.crt has no subject alternative name; API servers ignore the"
              + " common name");
    }
    for (var one : chain) {
      if (!authorities.contains(one) && OUTDATED.matcher(one.getSigAlgName()).lookingAt()) {
        throw new BadCertificate(
            "the certificate of %s in tls.crt is signed with %s, which API servers reject; sign it with SHA-256"
                .formatted(one.getSubjectX500Principal(), one.getSigAlgName()));
      }
    }
    return new ServingCertificate(
        new KeyPair(certificate, Pem.text(secret), leaf.getNotAfter().toInstant()), bundle);
  }

  public boolean isPlaceholder() {
    return bundle.isEmpty();
  }

  public Instant notBefore() {
    return chain().getFirst().getNotBefore().toInstant();
  }

  public Instant authorityNotBefore() {
    return authority().getNotBefore().toInstant();
  }

  public Instant authorityNotAfter() {
    return authority().getNotAfter().toInstant();
  }

  /**
   * Checks whether clients that trust other authorities accept the leaf: one that signed it is
   * valid now. Does not check the leaf's validity period.
   *
   * @param otherBundle PEM; may be invalid
   */
  public boolean isTrustedBy(String otherBundle, Instant now) {
    try {
      var valid =
          Pem.certificates("caBundle", otherBundle).stream()
              .filter(one -> Pem.isValid(one, now))
              .toList();
      return authority(chain(), valid).isPresent();
    } catch (BadCertificate e) {
      return false;
    }
  }

  /** Checks whether the leaf has a DNS name, or a wildcard for its first label. */
  boolean isFor(String name) {
    var names = Authority.names(chain().getFirst());
    return names.contains(name) || names.contains(name.replaceFirst("^[^.]+", "*"));
  }

  /** Returns why the leaf is not valid at a time: not yet, or no longer; empty if it is valid. */
  public Optional<String> validityProblem(Instant now) {
    if (now.isBefore(notBefore())) {
      return Optional.of("the certificate is valid only from %s".formatted(notBefore()));
    }
    return now.isBefore(pair.notAfter())
        ? Optional.empty()
        : Optional.of("the certificate has expired at %s".formatted(pair.notAfter()));
  }

  List<X509Certificate> chain() {
    return parse("tls.crt", pair.certificate());
  }

  private X509Certificate authority() {
    return authority(chain(), parse("ca.crt", bundle)).orElseThrow();
  }

  private static List<X509Certificate> parse(String part, String pem) {
    try {
      return Pem.certificates(part, pem);
    } catch (BadCertificate e) {
      throw new IllegalStateException("checked at its creation", e);
    }
  }

  /**
   * Follows the chain from the leaf to the first authority of the bundle; of several certificates
   * with its key, to the one that is valid longest.
   */
  private static Optional<X509Certificate> authority(
      List<X509Certificate> chain, List<X509Certificate> bundle) {
    var current = chain.getFirst();
    for (var depth = 0; depth < chain.size(); depth++) {
      var child = current;
      var anchor =
          bundle.stream()
              .filter(one -> one.equals(child) || Pem.isSignedBy(child, one))
              .max(Comparator.comparing(X509Certificate::getNotAfter));
      if (anchor.isPresent()) {
        return anchor;
      }
      var parent =
          chain.stream()
              .filter(one -> !one.equals(child) && Pem.isSignedBy(child, one))
              .findFirst();
      if (parent.isEmpty()) {
        return Optional.empty();
      }
      current = parent.get();
    }
    return Optional.empty();
  }
}
