package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class ServersTest {
  private static final int PODS = 4;

  private final ControlPlane cluster;
  private final String namespace;

  @TempDir private Path folder;

  ServersTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("servers");
  }

  @Test
  void podsThatTheApiServerCannotReachHoldNobodyUp() throws Exception {
    try (var faulty = FaultyApi.start(cluster);
        var client = ApiConnection.open(kubeconfig(faulty.address()), null)) {
      var api = new KubernetesApi(client);
      for (var number = 0; number < PODS; number++) {
        pod(api, "pod-" + number);
      }
      faulty.always(request -> request.contains("/proxy/metrics"), faulty.ignore());
      var helm = Helm.of(Map.of(), List.of(), namespace);
      var installed = new Installed(api, new Release(helm, namespace, namespace));

      var servers = assertTimeoutPreemptively(Duration.ofSeconds(25), () -> Servers.of(installed));

      assertThat(servers.pods()).isEqualTo(PODS);
      assertThat(servers.areAllAsked()).isFalse();
      assertThat(faulty.requests("GET /api/v1/namespaces/%s/pods/".formatted(namespace)))
          .as("only ports that there are")
          .hasSize(PODS)
          .allMatch(request -> request.contains(":8080/proxy/"));
    }
  }

  private Path kubeconfig(URI address) throws IOException {
    return Files.writeString(folder.resolve("config"), Kubeconfig.anybodyAt(address.toString()));
  }

  private void pod(KubernetesApi api, String name) throws Exception {
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
    api.post(path, new ObjectMapper().readTree(pod)).requireSuccess("POST " + path);
  }
}
