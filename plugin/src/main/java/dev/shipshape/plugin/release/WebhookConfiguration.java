package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.webhook.arming.Proof;
import dev.shipshape.webhook.config.GuardedResource;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A validating or mutating webhook configuration. The fields that are used here are the same.
 *
 * @param namespace of the Service that it calls, and so of its release
 */
record WebhookConfiguration(
    String kind, String name, String namespace, List<ValidatingWebhook> webhooks) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  WebhookConfiguration {
    webhooks = List.copyOf(webhooks);
  }

  /**
   * @param object of either kind, as a model or as JSON
   */
  static WebhookConfiguration of(Object object) {
    var read = MAPPER.convertValue(object, ValidatingWebhookConfiguration.class);
    var name = read.getMetadata() == null ? null : read.getMetadata().getName();
    var namespace =
        read.getWebhooks().stream()
            .map(webhook -> webhook.getClientConfig())
            .filter(config -> config != null && config.getService() != null)
            .map(config -> config.getService().getNamespace())
            .findFirst();
    return new WebhookConfiguration(
        read.getKind(),
        Objects.requireNonNullElse(name, ""),
        namespace.orElse(""),
        read.getWebhooks());
  }

  /** Whether every webhook has a {@code caBundle}. */
  boolean hasAuthority() {
    return !webhooks.isEmpty()
        && webhooks.stream()
            .map(ValidatingWebhook::getClientConfig)
            .map(config -> config == null ? null : config.getCaBundle())
            .noneMatch(bundle -> bundle == null || bundle.isEmpty());
  }

  /** Reports that the API server cannot call the webhook; empty if it can. */
  Optional<String> withoutAuthority() {
    return hasAuthority()
        ? Optional.empty()
        : Optional.of(
            "%s %s has no caBundle: the API server cannot call the webhook".formatted(kind, name));
  }

  /** Whether it has the entry by which any user can test that the API server calls the webhook. */
  boolean canBeProved() {
    return hasAuthority()
        && webhooks.stream().anyMatch(webhook -> webhook.getName().equals(Proof.ENTRY));
  }

  /** Returns its guards, and whether each is armed; a webhook's name begins with its guard's. */
  SortedMap<String, Boolean> guards() {
    return webhooks.stream()
        .filter(webhook -> !webhook.getName().equals(Proof.ENTRY))
        .collect(
            Collectors.toMap(
                webhook -> webhook.getName().replaceFirst("\\..*", ""),
                WebhookConfiguration::isArmed,
                Boolean::logicalAnd,
                TreeMap::new));
  }

  /** Whether it refuses writes: of known-invalid configurations, and while the webhook is away. */
  static boolean isArmed(ValidatingWebhook webhook) {
    return "Fail".equals(webhook.getFailurePolicy());
  }

  /** Returns the webhook that is called when a resource is created. */
  Optional<ValidatingWebhook> webhookFor(GuardedResource resource) {
    return webhooks.stream()
        .filter(
            webhook ->
                webhook.getRules().stream()
                    .anyMatch(
                        rule ->
                            rule.getApiGroups().contains(resource.group())
                                && rule.getResources().contains(resource.plural())
                                && rule.getOperations().contains("CREATE")))
        .findFirst();
  }
}
