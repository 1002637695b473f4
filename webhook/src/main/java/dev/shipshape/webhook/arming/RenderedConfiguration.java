package dev.shipshape.webhook.arming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The ValidatingWebhookConfiguration that the chart renders. An entry that is to refuse writes has
 * {@code failurePolicy: Fail}.
 *
 * @param manifest the object without its owner and its {@code caBundle}s
 * @param nodes on how many nodes replicas must be ready before an entry is armed
 */
record RenderedConfiguration(ObjectNode manifest, int nodes) {
  /** Reads the chart's ConfigMap; IllegalStateException if it has no valid configuration. */
  static RenderedConfiguration read(ConfigMap rendered, KubernetesSerialization yaml) {
    var name = rendered.getMetadata().getName();
    var data = Objects.requireNonNullElse(rendered.getData(), Map.<String, String>of());
    try {
      var manifest =
          yaml.convertValue(
              yaml.unmarshal(
                  data.getOrDefault("validating.yaml", ""), GenericKubernetesResource.class),
              ObjectNode.class);
      if (!manifest.path("webhooks").isArray()) {
        throw new IllegalArgumentException("validating.yaml has no webhooks");
      }
      return new RenderedConfiguration(manifest, Integer.parseInt(data.getOrDefault("nodes", "2")));
    } catch (RuntimeException e) {
      // The message of the outer exception is not helpful.
      var why = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "ConfigMap %s has no valid configuration: %s".formatted(name, why.getMessage()), e);
    }
  }

  boolean isArmed() {
    return armed().findAny().isPresent();
  }

  /** The entries that are to refuse writes. */
  Stream<JsonNode> armed() {
    return manifest.path("webhooks").valueStream().filter(RenderedConfiguration::arms);
  }

  /** Whether this entry refuses writes, or is to. */
  static boolean arms(JsonNode entry) {
    return entry.path("failurePolicy").asText().equals("Fail");
  }
}
