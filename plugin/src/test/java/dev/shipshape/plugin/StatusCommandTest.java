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
import java.util.Locale;
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
    deploy();
    register("Validating");
    register("Mutating");

    var exit = status();

    assertThat(out.toString()).contains("0 of 2 ready").doesNotContain("trouble");
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void whatOnlyTheClusterKnowsIsSaid() throws Exception {
    deploy();
    register("Validating");
    // Nobody runs it, so it neither leads nor can be asked.
    make(
        "/api/v1/namespaces/" + namespace + "/pods",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one", "labels": %s},
         "spec": {"automountServiceAccountToken": false,
                  "containers": [{"name": "webhook", "image": "none"}]}}
        """
            .formatted(labels()));
    make(
        "/api/v1/namespaces/" + namespace + "/configmaps",
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "labels": %s},
         "data": {"webhook.yaml": "apiVersion: shipshape.dev/v1\\nguards: [{preset: nodeconfig}]\\n\
        mode: audit\\nmemory: {enabled: true}",
                  "janitor.yaml": "apiVersion: shipshape.dev/v1"}}
        """
            .formatted(labels()));

    var exit = status();

    assertThat(out.toString())
        .contains("there is no MutatingWebhookConfiguration")
        .contains("no replica of the webhook leads")
        .contains("no replica of the janitor leads")
        .contains("no webhook's metrics could be read");
    assertThat(exit).isEqualTo(ExitCode.FOUND);
  }

  private void deploy() throws IOException {
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
  }

  private void register(String kind) throws IOException {
    make(
        "/apis/admissionregistration.k8s.io/v1/%swebhookconfigurations"
            .formatted(kind.toLowerCase(Locale.ROOT)),
        """
        {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "%1$sWebhookConfiguration",
         "metadata": {"name": "%2$s", "labels": %3$s},
         "webhooks": [{"name": "guard.shipshape.dev", "sideEffects": "None", "rules": [],
           "admissionReviewVersions": ["v1"], "failurePolicy": "Ignore",
           "clientConfig": {"caBundle": "%4$s",
                            "service": {"name": "shipshape", "namespace": "%2$s"}}}]}
        """
            .formatted(kind, namespace, labels(), "QQ=="));
  }

  private int status() {
    return run(
        "status", namespace, "-n", namespace, "--kubeconfig", cluster.kubeconfig().toString());
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
