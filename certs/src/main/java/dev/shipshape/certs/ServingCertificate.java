package dev.shipshape.certs;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a TLS server presents and what its clients must trust.
 *
 * @param pair the leaf, with what stands between it and the authority, and its key
 * @param bundle the authorities to trust, one PEM block each: the {@code caBundle} of a webhook
 *     configuration; empty if nobody is to trust it
 */
public record ServingCertificate(KeyPair pair, String bundle) {
  /** What Java takes and an API server, which is written in Go, does not. */
  private static final Pattern OUTDATED = Pattern.compile("SHA-?1|MD");

  /**
   * Puts the three together, if they belong together: the key is the leaf's, and the leaf is signed
   * by an authority of the bundle. Their time is not looked at: see {@link #outOfTime}.
   *
   * @throws BadCertificate which says what does not fit
   */
  public static ServingCertificate of(String certificate, String key, String bundle)
      throws BadCertificate {
    var chain = Pem.certificates("tls.crt", certificate);
    var secret = Pem.key("tls.key", key);
    var leaf = chain.getFirst();
    if (!Keys.fit(leaf.getPublicKey(), secret)) {
      throw new BadCertificate("tls.key is not the key of the certificate in tls.crt");
    }
    var authorities = Pem.certificates("ca.crt", bundle);
    if (authority(chain, authorities).isEmpty()) {
      throw new BadCertificate("the certificate in tls.crt is of no authority in ca.crt");
    }
    if (Authority.names(leaf).isEmpty()) {
      throw new BadCertificate(
          "the certificate in tls.crt has no subject alternative name; API servers look at no"
              + " other");
    }
    for (var one : chain) {
      if (!authorities.contains(one) && OUTDATED.matcher(one.getSigAlgName()).lookingAt()) {
        throw new BadCertificate(
            "the certificate of %s in tls.crt is signed with %s, which API servers do not take; sign it with SHA-256"
                .formatted(one.getSubjectX500Principal(), one.getSigAlgName()));
      }
    }
    return new ServingCertificate(
        new KeyPair(certificate, Pem.text(secret), leaf.getNotAfter().toInstant()), bundle);
  }

  /** Whether it only stands in until there is one that somebody trusts. */
  public boolean isStandIn() {
    return bundle.isEmpty();
  }

  /** Since when the leaf is valid. */
  public Instant notBefore() {
    return chain().getFirst().getNotBefore().toInstant();
  }

  /** Since when the authority that the leaf leads to is valid. */
  public Instant authorityNotBefore() {
    return authority().getNotBefore().toInstant();
  }

  /** Until when the authority that the leaf leads to is valid. */
  public Instant authorityNotAfter() {
    return authority().getNotAfter().toInstant();
  }

  /**
   * Whether clients that trust these authorities would accept the leaf, its time aside.
   *
   * @param otherBundle PEM; whatever it may hold
   */
  public boolean isTrustedBy(String otherBundle) {
    try {
      return authority(chain(), Pem.certificates("caBundle", otherBundle)).isPresent();
    } catch (BadCertificate e) {
      return false;
    }
  }

  /** Why clients will not accept the leaf at this time; empty where its time is now. */
  public Optional<String> outOfTime(Instant now) {
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
    return authority(chain(), bundled()).orElseThrow();
  }

  private List<X509Certificate> bundled() {
    return parse("ca.crt", bundle);
  }

  private static List<X509Certificate> parse(String part, String pem) {
    try {
      return Pem.certificates(part, pem);
    } catch (BadCertificate e) {
      throw new IllegalStateException("checked when it was made", e);
    }
  }

  /** Climbs from the leaf to the first authority of the bundle. */
  private static Optional<X509Certificate> authority(
      List<X509Certificate> chain, List<X509Certificate> bundle) {
    var current = chain.getFirst();
    for (var height = 0; height < chain.size(); height++) {
      var here = current;
      var anchor =
          bundle.stream().filter(one -> one.equals(here) || Pem.isSignedBy(here, one)).findFirst();
      if (anchor.isPresent()) {
        return anchor;
      }
      var above =
          chain.stream().filter(one -> !one.equals(here) && Pem.isSignedBy(here, one)).findFirst();
      if (above.isEmpty()) {
        return Optional.empty();
      }
      current = above.get();
    }
    return Optional.empty();
  }
}
