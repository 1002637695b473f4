package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A validating or mutating webhook configuration.
 *
 * @param name the object's name
 * @param namespace of the release that it belongs to
 * @param entries its webhooks
 */
record WebhookConfiguration(String name, String namespace, List<JsonNode> entries) {
  WebhookConfiguration {
    entries = List.copyOf(entries);
  }

  static WebhookConfiguration of(JsonNode object) {
    return new WebhookConfiguration(
        object.at("/metadata/name").asText(),
        namespaceOf(object),
        StreamSupport.stream(object.path("webhooks").spliterator(), false).toList());
  }

  /** Helm says whose an object is; of one that came without it, the Service that it asks does. */
  private static String namespaceOf(JsonNode object) {
    return object
        .at("/metadata/annotations")
        .path("meta.helm.sh/release-namespace")
        .asText(object.at("/webhooks/0/clientConfig/service/namespace").asText());
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

  /** Whether writes are refused while the webhook cannot be asked. */
  boolean failsClosed() {
    return entries.stream().anyMatch(entry -> entry.path("failurePolicy").asText().equals("Fail"));
  }

  /** Whether writes of what is known invalid are refused. */
  boolean arms() {
    return entries.stream()
        .anyMatch(entry -> entry.at("/clientConfig/service/path").asText().equals("/validate"));
  }

  /** Whether it asks about creations of a resource. */
  boolean covers(String group, String plural) {
    return entries.stream().anyMatch(entry -> covers(entry, group, plural));
  }

  /** Which objects of a resource it asks about; all where it does not ask about the resource. */
  ObjectSelector selectorFor(String group, String plural) {
    return ObjectSelector.of(
        entries.stream()
            .filter(entry -> covers(entry, group, plural))
            .map(entry -> entry.path("objectSelector"))
            .findFirst()
            .orElseGet(MissingNode::getInstance));
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
