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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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

  /** Where the configuration notes the source of certificates. */
  private static final String SOURCE = "shipshape.dev/certificates-source";

  private static final String OURS = ".shipshape.dev";

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Logger logger = LoggerFactory.getLogger(WebhookConfigurations.class);

  private final KubernetesClient client;
  private final String name;
  private final Map<ConfigurationKind, SharedIndexInformer<GenericKubernetesResource>> informers =
      new EnumMap<>(ConfigurationKind.class);

  private WebhookConfigurations(KubernetesClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Begins to watch them; returns at once. */
  public static WebhookConfigurations watch(KubernetesClient client, String name) {
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
    return watched().stream()
        .flatMap(found -> Stream.ofNullable(found.get(kind)))
        .map(WebhookConfigurations::entries)
        .anyMatch(
            entries ->
                !entries.isEmpty()
                    && entries.stream().allMatch(entry -> served.isTrustedBy(bundle(entry))));
  }

  /** Whether a write of this resource is refused where it is known invalid. */
  public boolean arms(String group, String plural) {
    return watched().stream()
        .flatMap(found -> Stream.ofNullable(found.get(ConfigurationKind.VALIDATING)))
        .flatMap(found -> entries(found).stream())
        .filter(entry -> pathOf(entry.path("clientConfig")).equals("/validate"))
        .flatMap(entry -> entry.path("rules").valueStream())
        .anyMatch(
            rule -> holds(rule.path("apiGroups"), group) && holds(rule.path("resources"), plural));
  }

  private static boolean holds(JsonNode list, String text) {
    return list.valueStream().anyMatch(each -> each.asText().equals(text));
  }

  private static String pathOf(JsonNode client) {
    var url = client.path("url").asText();
    return url.isEmpty() ? client.at("/service/path").asText() : URI.create(url).getPath();
  }

  private static List<JsonNode> entries(JsonNode configuration) {
    return configuration
        .path("webhooks")
        .valueStream()
        .filter(entry -> entry.path("name").asText().endsWith(OURS))
        .toList();
  }

  private Resource<GenericKubernetesResource> resource(ConfigurationKind kind) {
    return client.genericKubernetesResources(kind.resource()).withName(name);
  }

  /** Whether all of our entries in both have this bundle; not if that is not known. */
  boolean have(String bundle) {
    return watched().stream()
        .anyMatch(found -> found.values().stream().allMatch(one -> has(one, bundle)));
  }

  private static boolean has(JsonNode configuration, String bundle) {
    return entries(configuration).stream().allMatch(entry -> bundle(entry).equals(bundle));
  }

  /**
   * Gives each of our entries in the mutating configuration this bundle; anything else in it stays
   * as it is. One that notes another source is left alone: replicas that are about to go would
   * write into it.
   */
  void keep(String bundle) {
    var mutating = watched().map(found -> found.get(ConfigurationKind.MUTATING)).orElse(null);
    if (mutating == null || has(mutating, bundle)) {
      return;
    }
    var source = mutating.at("/metadata/annotations").path(SOURCE);
    if (!source.asText(CertificateSecret.LABEL_VALUE).equals(CertificateSecret.LABEL_VALUE)) {
      return;
    }
    var encoded = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8));
    var entries =
        entries(mutating).stream()
            .map(entry -> entry.path("name").asText())
            .map(name -> Map.of("name", name, "clientConfig", Map.of("caBundle", encoded)))
            .toList();
    apply(mutating, FIELD_MANAGER, wanted -> wanted.addToAdditionalProperties("webhooks", entries));
    logger.info("MutatingWebhookConfiguration {}: caBundle written", name);
  }

  /** What an entry has the API server trust, PEM; empty where it says nothing. */
  public static String bundle(JsonNode entry) {
    var encoded = entry.at("/clientConfig/caBundle").asText();
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  /** Applies a change to the mutating configuration, of which no other thing is written. */
  private void apply(
      JsonNode mutating, String manager, UnaryOperator<GenericKubernetesResourceBuilder> change) {
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
