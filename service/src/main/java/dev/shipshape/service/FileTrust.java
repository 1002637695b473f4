package dev.shipshape.service;

import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the authorities that a file has at each handshake: in a pod, Kubernetes replaces it when
 * the API server's authority is rotated. The library reads it once.
 */
final class FileTrust extends X509ExtendedTrustManager {
  private final String file;
  private String content = "";
  private @Nullable X509ExtendedTrustManager manager;

  /** Takes the path of PEM certificates. */
  FileTrust(String file) {
    this.file = file;
  }

  private synchronized X509ExtendedTrustManager current() throws CertificateException {
    try {
      var now = Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
      if (manager == null || !now.equals(content)) {
        manager =
            (X509ExtendedTrustManager) SSLUtils.trustManagers(null, file, false, null, null)[0];
        content = now;
      }
      return manager;
    } catch (GeneralSecurityException | IOException e) {
      throw new CertificateException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    current().checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    current().checkServerTrusted(chain, type, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    current().checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
