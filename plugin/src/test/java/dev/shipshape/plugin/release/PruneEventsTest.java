package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What outlives the janitors' metrics, on a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class PruneEventsTest {
  private static final Instant PRUNED = Instant.parse("2026-11-22T04:00:00.000001Z");
  private static final String JANITOR = "shipshape.dev/janitor";

  private final ControlPlane cluster;
  private final KubernetesClient client;
  private final String namespace;

  PruneEventsTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    this.namespace = names.namespace("services");
  }

  @Test
  void theLastPruneIsTheJanitorsLatestEventOfThatReasonAboutTheOperator() throws Exception {
    assertThat(PruneEvents.last(client, operator())).isEmpty();

    tell("SessionsPruned", JANITOR, "cray-cfs-operator", PRUNED.minusSeconds(60));
    tell("SessionsPruned", JANITOR, "cray-cfs-operator", PRUNED);
    tell("PruneFailed", JANITOR, "cray-cfs-operator", PRUNED.plusSeconds(1));
    tell("SessionsPruned", "example.com/other", "cray-cfs-operator", PRUNED.plusSeconds(2));
    tell("SessionsPruned", JANITOR, "another", PRUNED.plusSeconds(3));

    assertThat(PruneEvents.last(client, operator())).hasValue(PRUNED);
  }

  @Test
  void whoMayNotSeeEventsIsToldNothing(@TempDir Path folder) throws Exception {
    tell("SessionsPruned", JANITOR, "cray-cfs-operator", PRUNED);
    var kubeconfig =
        Files.writeString(folder.resolve("config"), cluster.kubeconfigFor("nobody", List.of()));
    try (var nobody = ApiConnection.open(kubeconfig, null)) {
      assertThat(PruneEvents.last(nobody, operator())).isEmpty();
    }
  }

  private OperatorSettings operator() throws Exception {
    var yaml =
        """
        apiVersion: shipshape.dev/v1
        operator: {namespace: %s}
        """
            .formatted(namespace);
    return JanitorSettings.parse("janitor.yaml", yaml).operator();
  }

  private void tell(String reason, String controller, String deployment, Instant at) {
    var event =
        """
        {"apiVersion": "events.k8s.io/v1", "kind": "Event",
         "metadata": {"namespace": "%1$s", "generateName": "event-"},
         "eventTime": "%2$s", "reportingController": "%3$s", "reportingInstance": "one",
         "type": "Normal", "reason": "%4$s", "action": "Prune", "note": "told",
         "regarding": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "%1$s",
                       "name": "%5$s"}}
        """
            .formatted(namespace, at, controller, reason, deployment);
    var path = "/apis/events.k8s.io/v1/namespaces/%s/events".formatted(namespace);
    client.raw(path, "POST", event);
  }
}
