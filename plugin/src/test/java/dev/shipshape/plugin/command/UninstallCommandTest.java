package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Uninstall as a process, on a real API server; Helm is a script. */
@ExtendWith(ControlPlaneExtension.class)
class UninstallCommandTest {
  private final ControlPlane cluster;
  private final String namespace;

  @TempDir private Path folder = Path.of("");

  UninstallCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("uninstall");
  }

  @Test
  void onlySecretsWithOurLabelGoHoweverOthersAreNamed() throws Exception {
    try (var faulty = FaultyApi.start(cluster);
        var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      secret(client, "r-webhook-cert-manager", "r-webhook", "cert-manager");
      secret(client, "r-authority", "r-authority", "cert-manager");
      secret(client, "shipshape-webhook-certificates", "", "self-managed");
      // Of another product, whose Certificate is gone as ours are.
      secret(client, "other-webhook-cert-manager", "other-webhook", "");
      secret(client, "other-authority", "other-authority", "");
      var plugin = new PluginProcess(folder, faulty.address());
      plugin.helm("echo 'Error: release: not found' >&2; exit 1");

      var shown = plugin.run("uninstall", "-n", namespace, "--dry-run");
      var removed = plugin.run("uninstall", "-n", namespace);

      assertThat(shown.said())
          .contains("- secrets/r-webhook-cert-manager, made at run time")
          .contains("- secrets/r-authority, made at run time")
          .doesNotContain("other-");
      assertThat(removed.exit()).as(removed.said()).isEqualTo(ExitCode.OK);
      assertThat(isThere(client, "r-webhook-cert-manager")).isFalse();
      assertThat(isThere(client, "r-authority")).isFalse();
      assertThat(isThere(client, "shipshape-webhook-certificates")).isFalse();
      assertThat(isThere(client, "other-webhook-cert-manager")).isTrue();
      assertThat(isThere(client, "other-authority")).isTrue();
    }
  }

  /** As cert-manager makes one, with the label of the Certificate's secretTemplate. */
  private void secret(KubernetesClient client, String name, String certificate, String label) {
    var secret = new SecretBuilder().withNewMetadata().withName(name).endMetadata();
    if (!certificate.isEmpty()) {
      secret
          .editMetadata()
          .addToAnnotations("cert-manager.io/certificate-name", certificate)
          .addToAnnotations(
              "cert-manager.io/issuer-name", certificate.replace("-webhook", "-authority"))
          .endMetadata();
    }
    if (!label.isEmpty()) {
      secret.editMetadata().addToLabels("shipshape.dev/certificates", label).endMetadata();
    }
    client.secrets().inNamespace(namespace).resource(secret.build()).create();
  }

  private boolean isThere(KubernetesClient client, String name) {
    return client.secrets().inNamespace(namespace).withName(name).get() != null;
  }
}
