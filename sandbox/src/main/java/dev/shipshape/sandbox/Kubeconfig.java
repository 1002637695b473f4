package dev.shipshape.sandbox;

import dev.shipshape.certs.KeyPair;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes kubeconfigs with embedded certificates. */
public final class Kubeconfig {
  private Kubeconfig() {}

  /** Returns a kubeconfig for a server without authentication, or for an unreachable address. */
  public static String anonymous(String server) {
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
   * @param authority the certificate to trust, PEM
   * @param user the client certificate
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
