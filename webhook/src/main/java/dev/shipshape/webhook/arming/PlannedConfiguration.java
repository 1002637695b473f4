package dev.shipshape.webhook.arming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.certificate.WebhookConfigurations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The desired ValidatingWebhookConfiguration.
 *
 * @param manifest the object to write; null if nothing has to change
 * @param waiting entries that are to refuse writes but may not yet
 * @param reason why they may not; empty if there are none
 */
record PlannedConfiguration(@Nullable ObjectNode manifest, List<String> waiting, String reason) {
  /**
   * Computes the desired configuration.
   *
   * @param mutating the owner
   * @param current the existing configuration; null if there is none
   * @param trusted the CA bundle, PEM, of the mutating configuration
   * @param isSettled whether it trusts the certificates of all replicas
   * @param objection why writes must not depend on an entry; empty if they may
   */
  static PlannedConfiguration of(
      RenderedConfiguration rendered,
      JsonNode mutating,
      @Nullable JsonNode current,
      String trusted,
      boolean isSettled,
      Function<JsonNode, Optional<String>> objection) {
    var waiting = new ArrayList<String>();
    var manifest = rendered.manifest().deepCopy();
    var reasons = new LinkedHashSet<String>();
    for (var each : manifest.path("webhooks")) {
      var entry = (ObjectNode) each;
      var name = entry.path("name").asText();
      var before = entry(current, name);
      var armed = RenderedConfiguration.arms(before);
      if (RenderedConfiguration.arms(entry)) {
        // An armed entry stays armed: if replicas are lost, writes still must not pass. But of new
        // rules, the first replica that has them must be seen to work.
        var isSame = armed && covers(before.path("rules"), entry.path("rules"));
        var problem = isSame ? Optional.<String>empty() : objection.apply(entry);
        if (problem.isPresent()) {
          waiting.add(armed ? name + " (it keeps its earlier rules)" : name);
          reasons.add(problem.get());
          if (armed) {
            entry.set("rules", before.path("rules"));
          } else {
            onlyWarn(entry);
          }
        }
      }
      trust(
          entry,
          RenderedConfiguration.arms(entry) && armed
              ? bundleToKeep(WebhookConfigurations.bundle(before), trusted, isSettled)
              : trusted);
      if (WebhookConfigurations.bundle(entry).isEmpty()) {
        trust(entry, WebhookConfigurations.bundle(before));
      }
    }
    setOwner(manifest, mutating);
    if (current != null) {
      manifest
          .withObject("/metadata")
          .set("resourceVersion", current.at("/metadata/resourceVersion"));
    }
    // Items of a list have neither apiVersion nor kind.
    var withoutType = manifest.deepCopy().without(List.of("apiVersion", "kind"));
    return new PlannedConfiguration(
        covers(current, withoutType) ? null : manifest,
        List.copyOf(waiting),
        String.join("; ", reasons));
  }

  /** Makes the entry only warn, and let writes pass if the webhook cannot be reached. */
  private static void onlyWarn(ObjectNode entry) {
    entry.put("failurePolicy", "Ignore");
    ((ObjectNode) entry.at("/clientConfig/service")).put("path", Endpoint.AUDIT.path());
  }

  /** Returns both bundles while replicas change certificates, as some still serve the old one. */
  private static String bundleToKeep(String before, String trusted, boolean isSettled) {
    if (trusted.contains(before) || trusted.isEmpty() || isSettled) {
      return trusted;
    }
    // A bundle need not end with a line end.
    return before.contains(trusted) ? before : before.stripTrailing() + "\n" + trusted;
  }

  private static void trust(ObjectNode entry, String bundle) {
    if (!bundle.isEmpty()) {
      entry
          .withObject("/clientConfig")
          .put(
              "caBundle",
              Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Makes the mutating configuration the owner, so that both are deleted together. */
  private static void setOwner(ObjectNode manifest, JsonNode mutating) {
    manifest
        .withObject("/metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "admissionregistration.k8s.io/v1")
        .put("kind", "MutatingWebhookConfiguration")
        .put("name", mutating.at("/metadata/name").asText())
        .put("uid", mutating.at("/metadata/uid").asText());
  }

  private static JsonNode entry(@Nullable JsonNode configuration, String name) {
    return configuration == null
        ? MissingNode.getInstance()
        : configuration
            .path("webhooks")
            .valueStream()
            .filter(entry -> entry.path("name").asText().equals(name))
            .findFirst()
            .orElseGet(MissingNode::getInstance);
  }

  /** Whether all wanted fields are there. The API server adds defaults and drops empty fields. */
  private static boolean covers(@Nullable JsonNode found, JsonNode wanted) {
    if (found == null) {
      return wanted.isContainerNode() && wanted.isEmpty();
    }
    return switch (wanted) {
      case ObjectNode object ->
          object.properties().stream()
              .allMatch(
                  field ->
                      switch (field.getKey()) {
                        case "namespaceSelector", "objectSelector" ->
                            selects(field.getKey(), found.path(field.getKey()), field.getValue());
                        default -> covers(found.get(field.getKey()), field.getValue());
                      });
      case ArrayNode list ->
          found.size() == list.size()
              && IntStream.range(0, list.size())
                  .allMatch(index -> covers(found.get(index), list.get(index)));
      default -> Objects.equals(found, wanted);
    };
  }

  /**
   * Whether a selector is as wanted. Others, such as cloud policies, may exclude namespaces; with
   * anything else that they add, the guard would be open.
   */
  private static boolean selects(String selector, JsonNode found, JsonNode wanted) {
    var labels = wanted.path("matchLabels");
    var expressions = wanted.path("matchExpressions").valueStream().toList();
    var all = found.path("matchExpressions").valueStream().toList();
    return found.path("matchLabels").size() == labels.size()
        && covers(found.path("matchLabels"), labels)
        && expressions.stream().allMatch(one -> all.stream().anyMatch(each -> covers(each, one)))
        && all.stream()
            .filter(each -> expressions.stream().noneMatch(one -> covers(each, one)))
            .allMatch(each -> selector.equals("namespaceSelector") && excludes(each));
  }

  private static boolean excludes(JsonNode expression) {
    return Set.of("NotIn", "DoesNotExist").contains(expression.path("operator").asText());
  }

  /** The CA bundle of the entry with this name; empty if there is none. */
  static String bundle(@Nullable JsonNode configuration, String name) {
    return WebhookConfigurations.bundle(entry(configuration, name));
  }
}
