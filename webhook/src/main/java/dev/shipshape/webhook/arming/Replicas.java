package dev.shipshape.webhook.arming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeMap;

/** Checks the ready replicas. */
final class Replicas {
  /** With one replica, writes would fail whenever it is replaced. */
  private static final int MIN_REPLICAS = 2;

  private static final JsonMapper MAPPER = new JsonMapper();

  private Replicas() {}

  /**
   * Why the guard must not be armed with these replicas; empty if it may be.
   *
   * @param slices the EndpointSlices of the Service, one for each address family
   * @param minNodes on how many nodes replicas must be ready
   */
  static Optional<String> objection(Collection<GenericKubernetesResource> slices, int minNodes) {
    var nodes = new TreeMap<String, String>();
    for (var slice : slices) {
      JsonNode endpoints = MAPPER.valueToTree(slice.getAdditionalProperties().get("endpoints"));
      for (var endpoint : endpoints) {
        if (endpoint.at("/conditions/ready").asBoolean()) {
          nodes.put(endpoint.at("/targetRef/name").asText(), endpoint.path("nodeName").asText());
        }
      }
    }
    if (nodes.size() < MIN_REPLICAS) {
      return Optional.of(
          "%d replicas are ready, %d are needed".formatted(nodes.size(), MIN_REPLICAS));
    }
    var on = nodes.values().stream().distinct().sorted().toList();
    return on.size() < minNodes
        ? Optional.of(
            "all ready replicas are on %s, %d nodes are needed (guard.oneNode)"
                .formatted(String.join(", ", on), minNodes))
        : Optional.empty();
  }
}
