package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.Console;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.StartFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class DeployingTest {
  private final KubernetesApi api;
  private final String namespace;

  DeployingTest(ControlPlane cluster, UniqueNames names) {
    this.api = new KubernetesApi(ApiConnection.open(cluster.kubeconfig(), null));
    this.namespace = names.namespace("deploying");
  }

  @Test
  void aSecondReleaseInTheNamespaceIsRefusedByTheNameOfTheFirst() throws Exception {
    assertThatCode(() -> deploying("second").requireAlone()).doesNotThrowAnyException();

    var deployment =
        """
        {"apiVersion": "apps/v1", "kind": "Deployment",
         "metadata": {"name": "first", "labels": {"app.kubernetes.io/instance": "first",
           "app.kubernetes.io/part-of": "shipshape"}},
         "spec": {"paused": true, "selector": {"matchLabels": {"app": "x"}},
                  "template": {"metadata": {"labels": {"app": "x"}},
                    "spec": {"containers": [{"name": "webhook", "image": "none"}]}}}}
        """;
    var path = "/apis/apps/v1/namespaces/%s/deployments".formatted(namespace);
    api.post(path, new ObjectMapper().readTree(deployment)).requireSuccess("POST " + path);

    assertThatThrownBy(() -> deploying("second").requireAlone())
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith("the release first is in namespace %s already", namespace);
    assertThatCode(() -> deploying("first").requireAlone()).doesNotThrowAnyException();
  }

  private Deploying deploying(String name) {
    var helm = Helm.of(Map.of(), List.of(), namespace);
    return new Deploying(api, new Release(helm, name, namespace), Console.ofProcess());
  }
}
