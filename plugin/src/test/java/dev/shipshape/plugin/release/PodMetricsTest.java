package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class PodMetricsTest {
  private static final int PODS = 4;

  private final ControlPlane cluster;
  private final String namespace;

  @TempDir private Path folder;

  PodMetricsTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("servers");
  }

  @Test
  void podsThatTheApiServerCannotReachHoldNobodyUp() throws Exception {
    try (var faulty = FaultyApi.start(cluster);
        var client = ApiConnection.open(kubeconfig(faulty.address()), null)) {
      for (var number = 0; number < PODS; number++) {
        pod(client, "pod-" + number);
      }
      faulty.always(request -> request.contains("/proxy/metrics"), faulty.ignore());
      var pods = client.pods().inNamespace(namespace).list().getItems();

      var metrics =
          assertTimeoutPreemptively(Duration.ofSeconds(25), () -> PodMetrics.read(client, pods));

      assertThat(metrics.webhooks()).isEmpty();
      assertThat(faulty.requests("GET /api/v1/namespaces/%s/pods/".formatted(namespace)))
          .as("only ports that there are")
          .hasSize(PODS)
          .allMatch(request -> request.contains(":8080/proxy/"));
    }
  }

  private Path kubeconfig(URI address) throws IOException {
    return Files.writeString(folder.resolve("config"), Kubeconfig.anybodyAt(address.toString()));
  }

  private void pod(KubernetesClient client, String name) {
    var pod =
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "labels": {
          "app.kubernetes.io/instance": "%s", "app.kubernetes.io/part-of": "shipshape",
          "app.kubernetes.io/component": "webhook"}},
         "spec": {"automountServiceAccountToken": false, "containers": [
           {"name": "webhook", "image": "none", "ports": [{"name": "metrics", "containerPort": 8080}]}]}}
        """
            .formatted(name, namespace);
    var path = "/api/v1/namespaces/%s/pods".formatted(namespace);
    client.raw(path, "POST", pod);
  }
}
