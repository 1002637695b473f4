package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
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
      var api = new KubernetesApi(client);
      secret(api, "r-webhook-cert-manager", "r-webhook", "cert-manager");
      secret(api, "r-authority", "r-authority", "cert-manager");
      secret(api, "shipshape-webhook-certificates", "", "self-managed");
      // Of another product, whose Certificate is gone as ours are.
      secret(api, "other-webhook-cert-manager", "other-webhook", "");
      secret(api, "other-authority", "other-authority", "");
      var plugin = new PluginProcess(folder, faulty.address());
      plugin.helm("echo 'Error: release: not found' >&2; exit 1");

      var shown = plugin.run("uninstall", "-n", namespace, "--dry-run");
      var removed = plugin.run("uninstall", "-n", namespace);

      assertThat(shown.said())
          .contains("- secrets/r-webhook-cert-manager, made at run time")
          .contains("- secrets/r-authority, made at run time")
          .doesNotContain("other-");
      assertThat(removed.exit()).as(removed.said()).isEqualTo(ExitCode.OK);
      assertThat(isThere(api, "r-webhook-cert-manager")).isFalse();
      assertThat(isThere(api, "r-authority")).isFalse();
      assertThat(isThere(api, "shipshape-webhook-certificates")).isFalse();
      assertThat(isThere(api, "other-webhook-cert-manager")).isTrue();
      assertThat(isThere(api, "other-authority")).isTrue();
    }
  }

  /** As cert-manager makes one, with the label of the Certificate's secretTemplate. */
  private void secret(KubernetesApi api, String name, String certificate, String label)
      throws Exception {
    var mapper = new ObjectMapper();
    var secret = mapper.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    var metadata = secret.putObject("metadata").put("name", name);
    if (!certificate.isEmpty()) {
      metadata
          .putObject("annotations")
          .put("cert-manager.io/certificate-name", certificate)
          .put("cert-manager.io/issuer-name", certificate.replace("-webhook", "-authority"));
    }
    if (!label.isEmpty()) {
      metadata.putObject("labels").put("shipshape.dev/certificates", label);
    }
    api.post(path(), secret).requireSuccess("POST " + path());
  }

  private boolean isThere(KubernetesApi api, String name) {
    return api.find(path() + "/" + name).isPresent();
  }

  private String path() {
    return "/api/v1/namespaces/%s/secrets".formatted(namespace);
  }
}
