package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server; Helm is a script, and knows no release. */
@ExtendWith(ControlPlaneExtension.class)
class UninstallCommandTest extends WithCommands {
  private final ControlPlane cluster;
  private final String release;
  private final String namespace;

  @TempDir private Path folder;

  UninstallCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.release = names.name("release");
    this.namespace = names.namespace("uninstall");
  }

  /** As by a GitOps tool, which would also make it again. */
  @Test
  void aReleaseThatRunsWithoutHelmIsLeftToTheToolThatMadeIt() throws Exception {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      client
          .resource(
              """
              apiVersion: apps/v1
              kind: Deployment
              metadata:
                name: shipshape
                namespace: %2$s
                labels: {app.kubernetes.io/instance: %1$s, app.kubernetes.io/part-of: shipshape}
              spec:
                paused: true
                selector: {matchLabels: {app: x}}
                template:
                  metadata: {labels: {app: x}}
                  spec: {containers: [{name: webhook, image: none}]}
              """
                  .formatted(release, namespace))
          .create();
      register(client);

      assertThat(uninstall("--dry-run")).isEqualTo(ExitCode.COULD_NOT_RUN);
      assertThat(uninstall()).isEqualTo(ExitCode.COULD_NOT_RUN);

      assertThat(
              client
                  .admissionRegistration()
                  .v1()
                  .mutatingWebhookConfigurations()
                  .withName(release)
                  .get())
          .isNotNull();
    }

    assertThat(err.toString()).contains("runs, but Helm does not know it", "nothing was removed");
  }

  private void register(KubernetesClient client) {
    client
        .resource(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: MutatingWebhookConfiguration
            metadata:
              name: %1$s
              labels: {app.kubernetes.io/instance: %1$s, app.kubernetes.io/part-of: shipshape}
            webhooks:
            - name: guard.shipshape.dev
              sideEffects: None
              admissionReviewVersions: [v1]
              clientConfig: {service: {name: shipshape, namespace: %2$s}}
            """
                .formatted(release, namespace))
        .create();
  }

  private int uninstall(String... more) throws Exception {
    new PluginRun(folder, namespace, cluster.server())
        .helm("echo 'Error: release: not found' >&2; exit 1");
    var line = new ArrayList<>(List.of("uninstall", release, "-n", namespace));
    line.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    line.addAll(List.of(more));
    return run(line.toArray(String[]::new));
  }
}
