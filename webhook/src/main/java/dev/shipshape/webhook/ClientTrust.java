package dev.shipshape.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trust in the authorities of one text.
 *
 * @param text PEM
 */
record ClientTrust(String text, X509ExtendedTrustManager manager) {

  /**
   * @throws GeneralSecurityException where the text is not one certificate or more
   */
  static ClientTrust of(String text) throws GeneralSecurityException {
    var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    var certificates = CertificateFactory.getInstance("X.509").generateCertificates(bytes);
    if (certificates.isEmpty()) {
      throw new CertificateException("there is no certificate in it");
    }
    var store = emptyStore();
    for (var certificate : certificates) {
      store.setCertificateEntry("authority-" + store.size(), certificate);
    }
    var factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return new ClientTrust(text, (X509ExtendedTrustManager) factory.getTrustManagers()[0]);
  }

  /**
   * @throws CertificateException where the chain does not lead to one of the authorities, or is not
   *     for clients, or not for now
   */
  void check(X509Certificate[] chain) throws CertificateException {
    manager.checkClientTrusted(chain, "UNKNOWN");
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new IllegalStateException("nothing is read", e);
    }
  }
}
