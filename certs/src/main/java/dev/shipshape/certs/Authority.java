package dev.shipshape.certs;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
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
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority held in memory: ECDSA on P-256, SHA-256. The JDK can read certificates
 * but not make them, hence Bouncy Castle.
 */
public final class Authority {
  /** A certificate is valid from a little before now, for peers whose clock is behind. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final X500Name name;
  private final java.security.KeyPair keys;
  private final String certificate;
  private final InstantSource clock;

  private Authority(
      X500Name name, java.security.KeyPair keys, String certificate, InstantSource clock) {
    this.name = name;
    this.keys = keys;
    this.certificate = certificate;
    this.clock = clock;
  }

  /**
   * A new authority with a key of its own.
   *
   * @param life how long the authority's certificate is valid
   */
  public static Authority create(String commonName, Duration life, InstantSource clock) {
    var name = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    var keys = newKeys();
    var certificate =
        sign(
            name,
            keys.getPrivate(),
            name,
            keys.getPublic(),
            clock.instant().plus(life),
            clock,
            (builder, utilities) -> {
              builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
              builder.addExtension(
                  Extension.keyUsage,
                  true,
                  new KeyUsage(
                      KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
              builder.addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  utilities.createSubjectKeyIdentifier(keys.getPublic()));
            });
    return new Authority(name, keys, certificate, clock);
  }

  /** This authority's own certificate, PEM: what others must trust. */
  public String certificate() {
    return certificate;
  }

  /** A pair for a TLS server. */
  public KeyPair issueServer(ServerRequest request) {
    var names =
        request.names().stream()
            .map(
                n -> new GeneralName(isAddress(n) ? GeneralName.iPAddress : GeneralName.dNSName, n))
            .toArray(GeneralName[]::new);
    var subject = new X500NameBuilder().addRDN(BCStyle.CN, request.commonName()).build();
    return issue(subject, KeyPurposeId.id_kp_serverAuth, new GeneralNames(names), request.life());
  }

  /**
   * A pair for a TLS client. Kubernetes takes the common name as the user and each organisation as
   * a group.
   */
  public KeyPair issueClient(String user, List<String> groups, Duration life) {
    var subject = new X500NameBuilder();
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, user);
    return issue(subject.build(), KeyPurposeId.id_kp_clientAuth, null, life);
  }

  private KeyPair issue(
      X500Name subject, KeyPurposeId purpose, @Nullable GeneralNames names, Duration life) {
    var leaf = newKeys();
    var notAfter = clock.instant().plus(life);
    var signed =
        sign(
            name,
            keys.getPrivate(),
            subject,
            leaf.getPublic(),
            notAfter,
            clock,
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
    return new KeyPair(signed, pem("PRIVATE KEY", leaf.getPrivate().getEncoded()), notAfter);
  }

  @FunctionalInterface
  private interface Extensions {
    void addTo(X509v3CertificateBuilder builder, JcaX509ExtensionUtils utilities)
        throws IOException;
  }

  private static String sign(
      X500Name issuer,
      PrivateKey issuerKey,
      X500Name subject,
      PublicKey subjectKey,
      Instant notAfter,
      InstantSource clock,
      Extensions extensions) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(127, RANDOM).setBit(127),
              Date.from(clock.instant().minus(CLOCK_SKEW)),
              Date.from(notAfter),
              subject,
              subjectKey);
      extensions.addTo(builder, new JcaX509ExtensionUtils());
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKey);
      return pem("CERTIFICATE", builder.build(signer).getEncoded());
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("could not sign a certificate for " + subject, e);
    }
  }

  private static java.security.KeyPair newKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot make P-256 keys", e);
    }
  }

  private static boolean isAddress(String name) {
    return IP_ADDRESS.matcher(name).matches();
  }

  private static String pem(String type, byte[] der) {
    var text = new StringWriter();
    try (var writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(type, der));
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be written", e);
    }
    return text.toString();
  }
}
