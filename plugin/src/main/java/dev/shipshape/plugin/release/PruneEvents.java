package dev.shipshape.plugin.release;

import dev.shipshape.janitor.restart.OperatorSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * The janitors' Events about their runs. An Event is kept for an hour, and so outlives the metrics
 * of a janitor that restarts.
 */
final class PruneEvents {
  private PruneEvents() {}

  /** When sessions were last pruned; empty if it is not known. */
  static Optional<Instant> last(KubernetesClient client, OperatorSettings operator) {
    try {
      return client
          .events()
          .v1()
          .events()
          .inNamespace(operator.namespace())
          .withField("reason", "SessionsPruned")
          .list()
          .getItems()
          .stream()
          .filter(event -> "shipshape.dev/janitor".equals(event.getReportingController()))
          .filter(
              event ->
                  event.getRegarding() != null
                      && operator.deployment().equals(event.getRegarding().getName()))
          .filter(event -> event.getEventTime() != null)
          .map(event -> OffsetDateTime.parse(event.getEventTime().getTime()).toInstant())
          .max(Instant::compareTo);
    } catch (KubernetesClientException e) {
      return Optional.empty(); // Who may read the release may have no right to read Events there.
    }
  }
}
