package dev.shipshape.webhook.arming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The replicas that are ready.
 *
 * @param nodes the node that each pod is on
 */
record Replicas(Map<String, String> nodes) {
  /** With one, writes would fail whenever it is replaced. */
  private static final int NEEDED = 2;

  private static final JsonMapper MAPPER = new JsonMapper();

  /**
   * Those in the EndpointSlices of a Service, of which there is one for each family of addresses.
   */
  static Replicas of(Collection<GenericKubernetesResource> slices) {
    var nodes = new TreeMap<String, String>();
    for (var slice : slices) {
      JsonNode endpoints = MAPPER.valueToTree(slice.getAdditionalProperties().get("endpoints"));
      for (var endpoint : endpoints) {
        if (endpoint.at("/conditions/ready").asBoolean()) {
          nodes.put(endpoint.at("/targetRef/name").asText(), endpoint.path("nodeName").asText());
        }
      }
    }
    return new Replicas(nodes);
  }

  /**
   * Why writes could fail if they depended on these.
   *
   * @param needed on how many nodes they must be
   */
  Optional<String> objection(int needed) {
    if (nodes.size() < NEEDED) {
      return Optional.of("%d replicas are ready, and it takes %d".formatted(nodes.size(), NEEDED));
    }
    var on = nodes.values().stream().distinct().sorted().toList();
    return on.size() < needed
        ? Optional.of(
            "all ready replicas are on %s, and it takes %d nodes (guard.oneNode)"
                .formatted(String.join(", ", on), needed))
        : Optional.empty();
  }
}
