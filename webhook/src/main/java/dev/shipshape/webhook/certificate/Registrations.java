package dev.shipshape.webhook.certificate;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The two webhook configurations, by name. Only entries under {@code shipshape.dev} are looked at,
 * and of these only the {@code caBundle} is ever written: by server-side apply with a field manager
 * of its own, so that a chart or a GitOps tool that leaves the field out sees no difference.
 */
final class Registrations {
  static final String FIELD_MANAGER = "shipshape-certificates";
  private static final String OURS = ".shipshape.dev";

  private final KubernetesClient client;
  private final Map<WebhookConfiguration, String> names;

  Registrations(KubernetesClient client, CertificateSettings.ConfigurationNames names) {
    this.client = client;
    this.names =
        Map.of(
            WebhookConfiguration.VALIDATING, names.validating(),
            WebhookConfiguration.MUTATING, names.mutating());
  }

  /** Those that exist. */
  List<Registration> read() {
    var found = new ArrayList<Registration>();
    for (var configuration : WebhookConfiguration.values()) {
      var object = resource(configuration).get();
      if (object != null) {
        found.add(registration(configuration, object));
      }
    }
    return found;
  }

  Resource<GenericKubernetesResource> resource(WebhookConfiguration configuration) {
    return client
        .genericKubernetesResources(configuration.resource())
        .withName(Objects.requireNonNull(names.get(configuration)));
  }

  /** Gives each of our entries this bundle; anything else in the configuration stays as it is. */
  void apply(Registration registration, String bundle) {
    var encoded = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8));
    var entries =
        registration.bundles().keySet().stream()
            .sorted()
            .map(name -> Map.of("name", name, "clientConfig", Map.of("caBundle", encoded)))
            .toList();
    // Applying to an object that is gone would create it. With the uid, it is a conflict instead.
    var wanted =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(WebhookConfiguration.API_VERSION)
            .withKind(registration.configuration().kind())
            .withNewMetadata()
            .withName(registration.name())
            .withUid(registration.uid())
            .endMetadata()
            .addToAdditionalProperties("webhooks", entries)
            .build();
    client
        .genericKubernetesResources(registration.configuration().resource())
        .resource(wanted)
        .fieldManager(FIELD_MANAGER)
        .forceConflicts()
        .serverSideApply();
  }

  private static Registration registration(
      WebhookConfiguration configuration, GenericKubernetesResource object) {
    var bundles = new LinkedHashMap<String, String>();
    if (object.get("webhooks") instanceof List<?> entries) {
      for (var entry : entries) {
        if (entry instanceof Map<?, ?> fields
            && fields.get("name") instanceof String name
            && name.endsWith(OURS)) {
          bundles.put(name, bundle(fields));
        }
      }
    }
    return new Registration(
        configuration, object.getMetadata().getName(), object.getMetadata().getUid(), bundles);
  }

  private static String bundle(Map<?, ?> entry) {
    return entry.get("clientConfig") instanceof Map<?, ?> client
            && client.get("caBundle") instanceof String encoded
        ? new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8)
        : "";
  }
}
