package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;

public enum ConfigurationKind {
  /** Refuses or warns. */
  VALIDATING("Validating"),
  /** Adds hash annotations. */
  MUTATING("Mutating");

  static final String API_VERSION = "admissionregistration.k8s.io/v1";

  private final String kind;

  ConfigurationKind(String prefix) {
    this.kind = prefix + "WebhookConfiguration";
  }

  public String kind() {
    return kind;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public ResourceDefinitionContext resource() {
    return new ResourceDefinitionContext.Builder()
        .withGroup("admissionregistration.k8s.io")
        .withVersion("v1")
        .withKind(kind)
        .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
        .withNamespaced(false)
        .build();
  }
}
