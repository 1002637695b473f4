package dev.shipshape.certs;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS contexts for clients, from PEM text as in kubeconfigs. */
public final class ClientContext {
  private static final char[] NO_PASSWORD = {};

  private ClientContext() {}

  /**
   * Returns a context.
   *
   * @param bundle the authorities to trust, PEM
   * @param pair null for no client certificate
   * @throws IllegalArgumentException if the bundle contains no certificate, or the pair is invalid
   */
  public static SSLContext of(String bundle, @Nullable KeyPair pair) {
    try {
      var trusted = emptyStore();
      for (var certificate : Pem.certificates("the bundle", bundle)) {
        trusted.setCertificateEntry("authority-" + trusted.size(), certificate);
      }
      var own = emptyStore();
      if (pair != null) {
        var key = Pem.key("the key", pair.key());
        var chain = Pem.certificates("the certificate", pair.certificate());
        own.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var presented = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      presented.init(own, NO_PASSWORD);
      var context = SSLContext.getInstance("TLS");
      context.init(presented.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (BadCertificate e) {
      throw new IllegalArgumentException(e.reason(), e);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("could not make a TLS context: " + e.getMessage(), e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
