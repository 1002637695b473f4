package dev.shipshape.sandbox;

import dev.shipshape.certs.KeyPair;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes kubeconfigs that carry all they need. */
public final class Kubeconfig {
  private Kubeconfig() {}

  /** The text of a kubeconfig for a server that asks nobody who they are, or is not there. */
  public static String anybodyAt(String server) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "%s"}}]
    users: [{name: u, user: {token: t}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(server);
  }

  /**
   * The text of a kubeconfig.
   *
   * @param authority the certificate to trust, PEM
   * @param user whom it makes its holder
   */
  static String text(URI server, String authority, KeyPair user) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: shipshape-sandbox
      cluster:
        server: %s
        certificate-authority-data: %s
    users:
    - name: user
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    - name: shipshape-sandbox
      context:
        cluster: shipshape-sandbox
        user: user
    current-context: shipshape-sandbox
    """
        .formatted(server, base64(authority), base64(user.certificate()), base64(user.key()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
