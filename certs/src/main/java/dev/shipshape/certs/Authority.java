package dev.shipshape.certs;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** A certificate authority in memory: ECDSA on P-256, by Bouncy Castle, as the JDK has none. */
public final class Authority {
  /** A certificate is valid from this time before its creation, for peers whose clock is behind. */
  static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final Pattern DNS_NAME = Pattern.compile("[a-zA-Z0-9*._-]{1,253}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final X500Name name;
  private final java.security.KeyPair keys;
  private final String certificate;
  private final Instant notAfter;
  private final InstantSource clock;

  private Authority(
      X500Name name,
      java.security.KeyPair keys,
      String certificate,
      Instant notAfter,
      InstantSource clock) {
    this.name = name;
    this.keys = keys;
    this.certificate = certificate;
    this.notAfter = notAfter;
    this.clock = clock;
  }

  public static Authority create(String commonName, Duration life, InstantSource clock) {
    var name = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    var keys = Keys.create();
    var notAfter = clock.instant().plus(life);
    var unsigned = new Authority(name, keys, "", notAfter, clock);
    var certificate =
        unsigned.sign(
            name,
            keys.getPublic(),
            notAfter,
            (builder, utilities) -> {
              var usage = KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature;
              builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
              builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
              builder.addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  utilities.createSubjectKeyIdentifier(keys.getPublic()));
            });
    return new Authority(name, keys, certificate, notAfter, clock);
  }

  /**
   * Returns an existing authority.
   *
   * @param certificate PEM
   * @param key PEM, elliptic curve
   * @throws BadCertificate if the key does not belong to the certificate
   */
  public static Authority of(String certificate, String key, InstantSource clock)
      throws BadCertificate {
    var parsed = Pem.certificates("ca.crt", certificate).getFirst();
    var secret = Pem.key("ca.key", key);
    if (!secret.getAlgorithm().equals("EC") || !Keys.isPair(parsed.getPublicKey(), secret)) {
      throw new BadCertificate("ca.key is not the key of the authority in ca.crt");
    }
    return new Authority(
        X500Name.getInstance(parsed.getSubjectX500Principal().getEncoded()),
        new java.security.KeyPair(parsed.getPublicKey(), secret),
        Pem.text(parsed),
        parsed.getNotAfter().toInstant(),
        clock);
  }

  /** The private key, PEM. */
  String key() {
    return Pem.text(keys.getPrivate());
  }

  /** The certificate that clients must trust, PEM. */
  public String certificate() {
    return certificate;
  }

  /** Issues a pair for a TLS server; the names are DNS names and IP addresses. */
  public KeyPair issueServer(String commonName, List<String> names, Duration life) {
    var alternatives =
        names.stream()
            .map(
                n -> new GeneralName(isAddress(n) ? GeneralName.iPAddress : GeneralName.dNSName, n))
            .toArray(GeneralName[]::new);
    var subject = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    return issue(subject, KeyPurposeId.id_kp_serverAuth, new GeneralNames(alternatives), life);
  }

  /** For Kubernetes, the common name is the user and each organisation a group. */
  public KeyPair issueClient(String user, List<String> groups, Duration life) {
    var subject = new X500NameBuilder();
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, user);
    return issue(subject.build(), KeyPurposeId.id_kp_clientAuth, null, life);
  }

  private KeyPair issue(
      X500Name subject, KeyPurposeId purpose, @Nullable GeneralNames names, Duration life) {
    var leaf = Keys.create();
    var notAfter = notAfter(life);
    var signed =
        sign(
            subject,
            leaf.getPublic(),
            notAfter,
            (builder, utilities) -> {
              builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
              builder.addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
              builder.addExtension(
                  Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
              builder.addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  utilities.createAuthorityKeyIdentifier(keys.getPublic()));
              if (names != null) {
                builder.addExtension(Extension.subjectAlternativeName, false, names);
              }
            });
    return new KeyPair(signed, Pem.text(leaf.getPrivate()), notAfter);
  }

  /** Limits the life of a certificate to that of the authority. */
  private Instant notAfter(Duration life) {
    var desired = clock.instant().plus(life);
    return desired.isBefore(notAfter) ? desired : notAfter;
  }

  /** Whether a certificate can have the name. */
  public static boolean isName(String name) {
    if (!isAddress(name)) {
      return DNS_NAME.matcher(name).matches();
    }
    try {
      var _ = InetAddress.ofLiteral(name);
      var _ = new GeneralName(GeneralName.iPAddress, name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns the names of a certificate, comparable with {@link #names(List)}. */
  static Set<String> names(X509Certificate certificate) {
    try {
      var names = certificate.getSubjectAlternativeNames();
      return names == null
          ? Set.of()
          : names.stream().map(name -> normalise(String.valueOf(name.get(1)))).collect(toSet());
    } catch (CertificateParsingException e) {
      return Set.of();
    }
  }

  static Set<String> names(List<String> names) {
    return names.stream().map(Authority::normalise).collect(toSet());
  }

  /** Normalises IP addresses, which have several text forms, and the case of DNS names. */
  private static String normalise(String name) {
    return isAddress(name)
        ? InetAddress.ofLiteral(name).getHostAddress()
        : name.toLowerCase(Locale.ROOT);
  }

  @FunctionalInterface
  private interface Extensions {
    void addTo(X509v3CertificateBuilder builder, JcaX509ExtensionUtils utilities)
        throws IOException;
  }

  private String sign(X500Name subject, PublicKey key, Instant notAfter, Extensions extensions) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              name,
              new BigInteger(127, RANDOM).setBit(127),
              Date.from(clock.instant().minus(CLOCK_SKEW)),
              Date.from(notAfter),
              subject,
              key);
      extensions.addTo(builder, new JcaX509ExtensionUtils());
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      return Pem.text("CERTIFICATE", builder.build(signer).getEncoded());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("could not sign a certificate for " + subject, e);
    }
  }

  private static boolean isAddress(String name) {
    return IP_ADDRESS.matcher(name).matches();
  }
}
