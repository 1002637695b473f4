package dev.shipshape.certs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS for a client that holds its trust and its pair as PEM text, as kubeconfigs do. */
public final class ClientContext {
  private static final char[] NO_PASSWORD = {};

  private ClientContext() {}

  /**
   * A context that trusts one bundle and presents nothing.
   *
   * @param bundle the authorities to trust, PEM
   * @throws IllegalArgumentException where it holds no certificate
   */
  public static SSLContext trusting(String bundle) {
    return context(bundle, emptyStore());
  }

  /**
   * A context that trusts one bundle and presents a client certificate.
   *
   * @param bundle the authorities to trust, PEM
   * @param pair what to present; an elliptic curve key, as {@link Authority} makes
   */
  public static SSLContext presenting(KeyPair pair, String bundle) {
    try {
      var der = pair.key().replaceAll("-----[^-]+-----|\\s", "");
      var key =
          KeyFactory.getInstance("EC")
              .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(der)));
      var store = emptyStore();
      var chain = certificates(pair.certificate());
      store.setKeyEntry("client", key, NO_PASSWORD, chain);
      return context(bundle, store);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a certificate and an EC key in PEM", e);
    }
  }

  private static SSLContext context(String bundle, KeyStore keys) {
    try {
      var trusted = emptyStore();
      for (var certificate : certificates(bundle)) {
        trusted.setCertificateEntry("authority-" + trusted.size(), certificate);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var presented = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      presented.init(keys, NO_PASSWORD);
      var context = SSLContext.getInstance("TLS");
      context.init(presented.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a bundle of certificates in PEM", e);
    }
  }

  private static Certificate[] certificates(String pem) throws GeneralSecurityException {
    var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8));
    var read = CertificateFactory.getInstance("X.509").generateCertificates(bytes);
    if (read.isEmpty()) {
      throw new CertificateException("it holds none");
    }
    return read.toArray(Certificate[]::new);
  }

  private static KeyStore emptyStore() {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java cannot make a PKCS #12 store in memory", e);
    }
  }
}
