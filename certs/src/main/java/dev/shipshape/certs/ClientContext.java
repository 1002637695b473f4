package dev.shipshape.certs;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts for clients, from PEM text as in kubeconfigs. */
public final class ClientContext {
  private static final char[] NO_PASSWORD = {};

  private ClientContext() {}

  /**
   * Returns a context without a client certificate.
   *
   * @param bundle the authorities to trust, PEM
   * @throws IllegalArgumentException if it contains no certificate
   */
  public static SSLContext trusting(String bundle) {
    try {
      return context(bundle, emptyStore());
    } catch (BadCertificate e) {
      throw new IllegalArgumentException(e.reason(), e);
    }
  }

  /** Adds a client certificate; throws IllegalArgumentException if it or the bundle is invalid. */
  public static SSLContext presenting(KeyPair pair, String bundle) {
    try {
      var store = emptyStore();
      store.setKeyEntry(
          "client",
          Pem.key("the key", pair.key()),
          NO_PASSWORD,
          Pem.certificates("the certificate", pair.certificate()).toArray(X509Certificate[]::new));
      return context(bundle, store);
    } catch (BadCertificate e) {
      throw new IllegalArgumentException(e.reason(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not a pair: " + e.getMessage(), e);
    }
  }

  private static SSLContext context(String bundle, KeyStore keys) throws BadCertificate {
    try {
      var trusted = emptyStore();
      for (var certificate : Pem.certificates("the bundle", bundle)) {
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
      throw new IllegalStateException("this Java cannot make a TLS context", e);
    }
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
