package dev.shipshape.webhook.certificate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two webhook configurations, by name, as a watch shows them. Only entries under {@code
 * shipshape.dev} are looked at, and of these only the {@code caBundle} is ever written, and an
 * owner: by server-side apply with a field manager of its own, so that a chart or a GitOps tool
 * that leaves the field out sees no difference.
 */
public final class WebhookConfigurations implements AutoCloseable {
  static final String FIELD_MANAGER = "shipshape-certificates";

  private static final String OWNER_MANAGER = "shipshape-owner";

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Logger logger = LoggerFactory.getLogger(WebhookConfigurations.class);

  private final KubernetesClient client;
  private final String name;
  private final Map<ConfigurationKind, SharedIndexInformer<GenericKubernetesResource>> informers =
      new EnumMap<>(ConfigurationKind.class);

  private WebhookConfigurations(
      KubernetesClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Begins to watch them; returns at once. */
  public static WebhookConfigurations watch(
      KubernetesClient client, String name) {
    var configurations = new WebhookConfigurations(client, name);
    for (var kind : ConfigurationKind.values()) {
      configurations.informers.put(kind, follow(configurations.resource(kind)));
    }
    return configurations;
  }

  /** Watches something of the API server's; what goes wrong is tried again. */
  public static <T> SharedIndexInformer<T> follow(Informable<T> watched) {
    var informer =
        watched
            .runnableInformer(0)
            .exceptionHandler(
                (started, failure) -> {
                  logger.debug("a watch failed, will try again", failure);
                  return true;
                });
    // What comes of it is seen by the exception handler and by hasSynced().
    var ignored = informer.start();
    return informer;
  }

  /** Those that exist, JSON without apiVersion and kind; empty where that is not known. */
  public Optional<Map<ConfigurationKind, JsonNode>> watched() {
    if (!informers.values().stream().allMatch(SharedIndexInformer::hasSynced)) {
      return Optional.empty();
    }
    var found = new EnumMap<ConfigurationKind, JsonNode>(ConfigurationKind.class);
    informers.forEach(
        (kind, informer) ->
            informer
                .getStore()
                .list()
                .forEach(object -> found.put(kind, MAPPER.valueToTree(object))));
    return Optional.of(found);
  }

  /** The same, for what is ours in them. */
  Optional<List<Registration>> known() {
    return watched()
        .map(
            found ->
                found.entrySet().stream()
                    .map(each -> new Registration(each.getKey(), each.getValue()))
                    .toList());
  }

  /** Shows, by configuration, whether the API server would trust the certificate. */
  public void register(MeterRegistry registry, CertificateSource certificates) {
    for (var kind : ConfigurationKind.values()) {
      Gauge.builder(
              "shipshape.webhook.ca.bundle.matches",
              this,
              one -> one.trusts(kind, certificates.current()) ? 1 : 0)
          .description(
              "1 where each caBundle of the configuration trusts the certificate of this replica.")
          .tag("configuration", kind.label())
          .strongReference(true)
          .register(registry);
    }
  }

  private boolean trusts(ConfigurationKind kind, ServingCertificate served) {
    return known().stream()
        .flatMap(List::stream)
        .filter(one -> one.kind() == kind && !one.bundles().isEmpty())
        .anyMatch(one -> one.bundles().stream().allMatch(served::isTrustedBy));
  }

  /** Whether a write of this resource is refused where it is known invalid. */
  public boolean arms(String group, String plural) {
    return known().stream()
        .flatMap(List::stream)
        .anyMatch(
            one ->
                one.kind() == ConfigurationKind.VALIDATING
                    && one.calls("/validate", group, plural));
  }

  private Resource<GenericKubernetesResource> resource(ConfigurationKind kind) {
    return client.genericKubernetesResources(kind.resource()).withName(name);
  }

  /** Gives each of our entries this bundle; anything else in the configuration stays as it is. */
  void apply(Registration registration, String bundle) {
    var encoded = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8));
    var entries =
        registration.entries().stream()
            .map(entry -> entry.path("name").asText())
            .map(name -> Map.of("name", name, "clientConfig", Map.of("caBundle", encoded)))
            .toList();
    apply(
        registration.object(),
        FIELD_MANAGER,
        wanted -> wanted.addToAdditionalProperties("webhooks", entries));
  }

  /** What an entry has the API server trust, PEM; empty where it says nothing. */
  public static String bundle(JsonNode entry) {
    var encoded = entry.at("/clientConfig/caBundle").asText();
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  /** Applies a change to the mutating configuration, of which no other thing is written. */
  private void apply(
      JsonNode mutating,
      String manager,
      UnaryOperator<GenericKubernetesResourceBuilder> change) {
    // Applying to an object that is gone would create it. With the uid, it is a conflict instead.
    var wanted =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(ConfigurationKind.API_VERSION)
            .withKind(ConfigurationKind.MUTATING.kind())
            .withNewMetadata()
            .withName(mutating.at("/metadata/name").asText())
            .withUid(mutating.at("/metadata/uid").asText())
            .endMetadata();
    client
        .genericKubernetesResources(ConfigurationKind.MUTATING.resource())
        .resource(change.apply(wanted).build())
        .fieldManager(manager)
        .forceConflicts()
        .serverSideApply();
  }

  /** Has the mutating configuration deleted by the API server when this namespace is. */
  public void own(JsonNode mutating, Namespace namespace) {
    var owner =
        new OwnerReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Namespace")
            .withName(namespace.getMetadata().getName())
            .withUid(namespace.getMetadata().getUid())
            .build();
    apply(
        mutating,
        OWNER_MANAGER,
        wanted -> wanted.editMetadata().withOwnerReferences(owner).endMetadata());
  }

  @Override
  public void close() {
    informers.values().forEach(SharedIndexInformer::close);
  }
}
