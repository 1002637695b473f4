package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class StatusCommandTest {
  private final StringWriter out = new StringWriter();
  private final ControlPlane cluster;
  private final String namespace;

  StatusCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("status");
  }

  @Test
  void aReleaseOfWhichNothingRunsIsNotWellThoughNobodySaysWhy() throws Exception {
    // Paused, it has no pods that could be in trouble.
    make(
        "/apis/apps/v1/namespaces/" + namespace + "/deployments",
        """
        {"apiVersion": "apps/v1", "kind": "Deployment",
         "metadata": {"name": "shipshape", "labels": %s},
         "spec": {"replicas": 2, "paused": true, "selector": {"matchLabels": {"app": "x"}},
                  "template": {"metadata": {"labels": {"app": "x"}},
                    "spec": {"containers": [{"name": "webhook", "image": "none"}]}}}}
        """
            .formatted(labels()));
    make(
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        """
        {"apiVersion": "admissionregistration.k8s.io/v1",
         "kind": "ValidatingWebhookConfiguration",
         "metadata": {"name": "%1$s", "labels": %2$s},
         "webhooks": [{"name": "guard.shipshape.dev", "sideEffects": "None", "rules": [],
           "admissionReviewVersions": ["v1"], "failurePolicy": "Ignore",
           "clientConfig": {"caBundle": "QQ==",
                            "service": {"name": "shipshape", "namespace": "%1$s"}}}]}
        """
            .formatted(namespace, labels()));

    var kubeconfig = cluster.kubeconfig().toString();
    var exit = run("status", namespace, "-n", namespace, "--kubeconfig", kubeconfig);

    assertThat(out.toString()).contains("0 of 2 ready").doesNotContain("trouble");
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  /** The release is named as the namespace is, so that no other test's guard is its own. */
  private String labels() {
    return """
    {"app.kubernetes.io/instance": "%s", "app.kubernetes.io/part-of": "shipshape",
     "app.kubernetes.io/component": "webhook"}
    """
        .formatted(namespace);
  }

  private void make(String path, String json) throws IOException {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      new KubernetesApi(client)
          .post(path, new ObjectMapper().readTree(json))
          .requireSuccess("POST " + path);
    }
  }

  private int run(String... arguments) {
    var err = new PrintWriter(new StringWriter(), true);
    return Shipshape.run(new PrintWriter(out, true), err, arguments);
  }
}
