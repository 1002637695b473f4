package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;

/** The two kinds of webhook configuration. */
public enum ConfigurationKind {
  /** What refuses. */
  VALIDATING("Validating"),
  /** What stamps. */
  MUTATING("Mutating");

  static final String API_VERSION = "admissionregistration.k8s.io/v1";

  private final String kind;

  ConfigurationKind(String prefix) {
    this.kind = prefix + "WebhookConfiguration";
  }

  /** As it stands in manifests. */
  public String kind() {
    return kind;
  }

  /** As it stands in metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How it is asked for. */
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
