package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.plugin.YamlDocuments;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A validating or mutating webhook configuration.
 *
 * @param name the object's name
 * @param namespace of the Service that it asks, and so of the release that it belongs to
 * @param entries its webhooks
 */
record WebhookConfiguration(String name, String namespace, List<JsonNode> entries) {
  WebhookConfiguration {
    entries = List.copyOf(entries);
  }

  static WebhookConfiguration of(JsonNode object) {
    return new WebhookConfiguration(
        object.at("/metadata/name").asText(),
        object.at("/webhooks/0/clientConfig/service/namespace").asText(),
        StreamSupport.stream(object.path("webhooks").spliterator(), false).toList());
  }

  /** As the chart wishes the validating one, which the webhook writes; empty where it says none. */
  static Optional<WebhookConfiguration> wished(List<JsonNode> configMaps) {
    return configMaps.stream()
        .map(configMap -> configMap.path("data").path("validating.yaml").asText(""))
        .filter(yaml -> !yaml.isEmpty())
        .map(yaml -> of(YamlDocuments.read(yaml).getFirst()))
        .findFirst();
  }

  /** Whether every webhook says which authority to trust. */
  boolean hasAuthority() {
    return !entries.isEmpty()
        && entries.stream()
            .noneMatch(entry -> entry.at("/clientConfig/caBundle").asText("").isEmpty());
  }

  /** The authorities that its webhooks trust; an empty one where one trusts nobody. */
  Stream<String> authorities() {
    return entries.stream().map(entry -> entry.at("/clientConfig/caBundle").asText(""));
  }

  /** Its guards, and of each whether it is armed; an entry's name begins with its guard's. */
  SortedMap<String, Boolean> guards() {
    return entries.stream()
        .collect(
            Collectors.toMap(
                entry -> entry.path("name").asText().replaceFirst("\\..*", ""),
                WebhookConfiguration::isArmed,
                Boolean::logicalAnd,
                TreeMap::new));
  }

  /** Whether writes are refused: of what is known invalid, and while the webhook is away. */
  static boolean isArmed(JsonNode entry) {
    return entry.path("failurePolicy").asText().equals("Fail");
  }

  /** By which it asks about creations of a resource. */
  Optional<JsonNode> entryFor(String group, String plural) {
    return entries.stream().filter(entry -> covers(entry, group, plural)).findFirst();
  }

  private static boolean covers(JsonNode entry, String group, String plural) {
    return StreamSupport.stream(entry.path("rules").spliterator(), false)
        .anyMatch(
            rule ->
                contains(rule.path("apiGroups"), group)
                    && contains(rule.path("resources"), plural)
                    && contains(rule.path("operations"), "CREATE"));
  }

  private static boolean contains(JsonNode list, String wanted) {
    return StreamSupport.stream(list.spliterator(), false)
        .anyMatch(each -> each.asText().equals(wanted));
  }
}
