package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** What a leading janitor leaves in the cluster: its Lease, and its status. */
final class PublishedStatus {
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  static final String WELL =
      """
      {"pruneArmed": true, "restartArmed": false,
       "lastRun": {"run": "r", "at": "2026-11-23T04:00:00Z", "ending": "done", "message": "",
         "stats": {"total": 5, "eligible": 3, "kept": {"young": 2},
           "byState": {"complete": 5}},
         "results": {"gone": 3}, "took": "PT1.5S", "good": true},
       "operators": [{"operator": "cray-cfs-operator", "at": "2026-11-23T04:10:00Z", "signature": "cfs-1.3",
         "workload": {"kind": "deployment", "namespace": "services", "name": "cray-cfs-operator"},
         "diagnosis": "healthy", "detail": "", "armed": true,
         "refusalDetail": "",
         "restarts": {"last": "2026-11-22T04:00:00Z", "ours": ["2026-11-22T04:00:00Z"]}}]}
      """;

  private PublishedStatus() {}

  /**
   * Publishes it.
   *
   * @param renewed when the leader last renewed its Lease
   */
  static void publish(KubernetesClient client, String namespace, Instant renewed, String status) {
    publish(client, namespace, Instant.EPOCH, renewed, status);
  }

  /**
   * @param acquired since when it leads
   */
  static void publish(
      KubernetesClient client, String namespace, Instant acquired, Instant renewed, String status) {
    var configMap = JsonNodeFactory.instance.objectNode();
    configMap.putObject("metadata").put("name", "shipshape-janitor-status");
    configMap.putObject("data").put("status.json", status);
    client.raw("/api/v1/namespaces/" + namespace + "/configmaps", "POST", configMap.toString());
    client.raw(
        "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases",
        "POST",
        """
        {"metadata": {"name": "shipshape-janitor"},
         "spec": {"holderIdentity": "pod-one_1", "leaseDurationSeconds": 15, "renewTime": "%s",
                  "acquireTime": "%s"}}
        """
            .formatted(MICRO_TIME.format(renewed), MICRO_TIME.format(acquired)));
  }
}
