package dev.shipshape.sandbox;

import java.nio.file.Path;

/** The certificate by which the API server shows webhooks who calls them. */
final class WebhookCaller {
  private WebhookCaller() {}

  /** Writes what the API server is told of it; the file for its flag. */
  static Path configure(StateFolder folder, Certificates certificates) {
    var shown = certificates.client(ControlPlane.WEBHOOK_CALLER);
    var kubeconfig =
        folder.write(
            "webhook-caller.yaml",
            """
            apiVersion: v1
            kind: Config
            users:
            - name: "*"
              user: {client-certificate: "%s", client-key: "%s"}
            """
                .formatted(shown.certificate(), shown.key()));
    return folder.write(
        "admission.yaml",
        Resource.text("admission.yaml").replace("KUBECONFIG", kubeconfig.toString()));
  }
}
