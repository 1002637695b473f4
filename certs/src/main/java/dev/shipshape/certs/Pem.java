package dev.shipshape.certs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/** Reads and writes PEM. */
final class Pem {
  private Pem() {}

  /**
   * Reads certificates.
   *
   * @param part the name of the text in messages, such as {@code tls.crt}
   * @return at least one, in the text's order
   */
  static List<X509Certificate> certificates(String part, String pem) throws BadCertificate {
    try {
      var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8));
      var found =
          CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (CertificateException e) {
      throw new BadCertificate(part + " is not a list of certificates in PEM", e);
    }
    throw new BadCertificate(part + (pem.isBlank() ? " is missing" : " holds no certificate"));
  }

  /** Reads PKCS #8, or the older forms of EC and RSA keys, which cert-manager writes by default. */
  static PrivateKey key(String part, String pem) throws BadCertificate {
    try (var parser = new PEMParser(new StringReader(pem))) {
      for (var next = parser.readObject(); next != null; next = parser.readObject()) {
        switch (next) {
          case PrivateKeyInfo key -> {
            return key(part, key);
          }
          case PEMKeyPair keys -> {
            return key(part, keys.getPrivateKeyInfo());
          }
          case PKCS8EncryptedPrivateKeyInfo _, PEMEncryptedKeyPair _ ->
              throw new BadCertificate(part + " is encrypted; store it without a passphrase");
          // For example the parameters that openssl writes before an EC key.
          default -> {}
        }
      }
    } catch (BadCertificate e) {
      throw e;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // Any exception of the parser. Not as the cause: its message may contain a part of the key.
      throw new BadCertificate(part + " is not a private key in PEM");
    }
    throw new BadCertificate(part + (pem.isBlank() ? " is missing" : " holds no private key"));
  }

  private static PrivateKey key(String part, PrivateKeyInfo key)
      throws BadCertificate, GeneralSecurityException, IOException {
    var algorithm = key.getPrivateKeyAlgorithm().getAlgorithm();
    var name =
        algorithm.equals(PKCSObjectIdentifiers.rsaEncryption)
            ? "RSA"
            : algorithm.equals(X9ObjectIdentifiers.id_ecPublicKey) ? "EC" : "";
    if (name.isEmpty()) {
      throw new BadCertificate(
          part
              + " is neither an RSA nor an ECDSA key, and others, such as Ed25519, cannot be used");
    }
    return KeyFactory.getInstance(name).generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
  }

  /** Writes a private key as PKCS #8. */
  static String text(PrivateKey key) {
    return text("PRIVATE KEY", key.getEncoded());
  }

  static String text(X509Certificate certificate) {
    try {
      return text("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
  }

  static String text(String type, byte[] der) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(type, lines);
  }

  static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && now.isBefore(certificate.getNotAfter().toInstant());
  }

  /** Checks the signature; does not check the validity period. */
  static boolean isSignedBy(X509Certificate certificate, X509Certificate authority) {
    if (!certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
