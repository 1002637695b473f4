package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
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

  private final KubernetesApi api;
  private final String group;

  @TempDir private Path folder;

  CapabilitiesTest(ControlPlane cluster, UniqueNames names) {
    this.api = new KubernetesApi(ApiConnection.open(cluster.kubeconfig(), null));
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
        new Release(Helm.of(Map.of("HELM_BIN", helm.toString()), List.of(), "n"), "r", "n");

    var _ = release.rendered("chart", new Values(List.of(), List.of()), Capabilities.of(api));

    assertThat(Files.readAllLines(said))
        .containsSequence(
            "--kube-version", api.require("/version").body().path("gitVersion").asText())
        .contains("--api-versions=%1$s/v1,%1$s/v1/Gauge".formatted(group))
        .anyMatch(argument -> argument.matches("--api-versions=apps/v1,.*apps/v1/Deployment.*"));
  }

  @Test
  void aServerThatListsNoKindsIsTakenAtItsGroups() throws Exception {
    var groups =
        """
        {"kind": "APIGroupList", "groups": [{"name": "a.example", "versions": [
          {"groupVersion": "a.example/v1"}, {"groupVersion": "a.example/v1beta1"}]}]}
        """;

    assertThat(Capabilities.served(json(groups)))
        .containsExactly(List.of("a.example/v1"), List.of("a.example/v1beta1"));
  }

  private void define() throws Exception {
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
    api.post(DEFINITIONS, json(definition)).requireSuccess("POST " + DEFINITIONS);
    var end = Instant.now().plusSeconds(30);
    while (!Capabilities.of(api).flags().toString().contains(group + "/v1/Gauge")) {
      assertThat(Instant.now()).isBefore(end);
    }
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }
}
