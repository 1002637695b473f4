package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.restart.OperatorSettings;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the janitors' Events say of their runs. They live for an hour, and so go beyond a restart of
 * the janitors, whose metrics begin anew with each.
 */
final class PruneEvents {
  private PruneEvents() {}

  /** When sessions were last pruned; empty where nothing is known of it. */
  static Optional<Instant> last(KubernetesApi api, OperatorSettings operator) {
    var path =
        "/apis/events.k8s.io/v1/namespaces/%s/events?fieldSelector=reason=SessionsPruned"
            .formatted(operator.namespace());
    try {
      return Installed.items(api.require(path).body()).stream()
          .filter(
              event -> event.path("reportingController").asText().equals("shipshape.dev/janitor"))
          .filter(event -> event.at("/regarding/name").asText().equals(operator.deployment()))
          .flatMap(PruneEvents::time)
          .max(Instant::compareTo);
    } catch (ApiFailure e) {
      return Optional.empty(); // Who may look at the release need not be let see Events there.
    }
  }

  private static Stream<Instant> time(JsonNode event) {
    try {
      return Stream.of(OffsetDateTime.parse(event.path("eventTime").asText()).toInstant());
    } catch (DateTimeException e) {
      return Stream.empty();
    }
  }
}
