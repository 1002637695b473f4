package dev.shipshape.service;

import io.fabric8.kubernetes.client.Config;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;

/**
 * Tells what kind of key a kubeconfig's client certificate goes with. The library takes any PKCS #8
 * key for RSA, and so cannot read the elliptic curve keys of many clusters.
 */
final class ClientKey {
  private ClientKey() {}

  /** {@code RSA} or {@code EC}; what the library would take where there is no certificate. */
  static String algorithm(Config config) {
    try {
      var certificate = certificate(config);
      return certificate.length == 0
          ? config.getClientKeyAlgo()
          : CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(certificate))
              .getPublicKey()
              .getAlgorithm();
    } catch (CertificateException | IOException | IllegalArgumentException e) {
      // The library will say better what is wrong with it.
      return config.getClientKeyAlgo();
    }
  }

  private static byte[] certificate(Config config) throws IOException {
    var data = config.getClientCertData();
    if (data != null) {
      return Base64.getDecoder().decode(data);
    }
    var file = config.getClientCertFile();
    return file == null ? new byte[0] : Files.readAllBytes(Path.of(file));
  }
}
