package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a chart is told about a real API server; Helm is a script. */
@ExtendWith(ControlPlaneExtension.class)
class CapabilitiesTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private final KubernetesClient client;
  private final String group;

  @TempDir private Path folder;

  CapabilitiesTest(ControlPlane cluster, UniqueNames names) {
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    this.group = names.name("monitoring") + ".example.com";
  }

  @Test
  void aChartIsRenderedForTheKubernetesAndTheKindsThatTheClusterHas() throws Exception {
    define();
    var said = folder.resolve("said");
    var helm = folder.resolve("helm");
    Files.writeString(helm, "#!/bin/sh\nprintf '%%s\\n' \"$@\" >%s\n".formatted(said));
    Files.setPosixFilePermissions(helm, PosixFilePermissions.fromString("rwx------"));
    var release =
        new HelmRelease(Helm.of(Map.of("HELM_BIN", helm.toString()), List.of(), "n"), "r", "n");

    var _ = release.rendered("chart", new Values(List.of(), List.of()), Capabilities.of(client));

    assertThat(Files.readAllLines(said))
        .containsSequence("--kube-version", client.getKubernetesVersion().getGitVersion())
        .contains("--api-versions=%1$s/v1,%1$s/v1/Gauge".formatted(group))
        .anyMatch(argument -> argument.matches("--api-versions=apps/v1,.*apps/v1/Deployment.*"));
  }

  private void define() {
    var definition =
        """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "gauges.%1$s"},
         "spec": {"group": "%1$s", "scope": "Namespaced",
           "names": {"plural": "gauges", "kind": "Gauge"},
           "versions": [{"name": "v1", "served": true, "storage": true,
             "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
        """
            .formatted(group);
    client.raw(DEFINITIONS, "POST", definition);
    var end = Instant.now().plusSeconds(30);
    while (!Capabilities.of(client).flags().toString().contains(group + "/v1/Gauge")) {
      assertThat(Instant.now()).isBefore(end);
    }
  }
}
