package dev.shipshape.webhook.certificate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.failsafe.RateLimiter;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.PeriodicTask;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the two webhook configurations of one name, and writes {@code caBundle} and owner of our
 * entries: by server-side apply with an own field manager, so that a chart or a GitOps tool that
 * does not set the field sees no difference.
 */
public final class WebhookConfigurations implements AutoCloseable {
  static final String FIELD_MANAGER = "shipshape-certificates";

  private static final String OWNER_MANAGER = "shipshape-owner";

  private static final String SOURCE = "shipshape.dev/certificates-source";

  private static final String OUR_DOMAIN = ".shipshape.dev";

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Logger logger = LoggerFactory.getLogger(WebhookConfigurations.class);

  private final KubernetesClient client;
  private final String name;
  private final Map<ConfigurationKind, SharedIndexInformer<GenericKubernetesResource>> informers =
      new EnumMap<>(ConfigurationKind.class);

  /** Limits how often changes by others are reverted, so that two writers do not loop. */
  private final RateLimiter<Object> publishLimiter =
      RateLimiter.burstyBuilder(10, Duration.ofMinutes(10)).build();

  private volatile boolean hasPublished;
  private volatile boolean hasLoggedOthers;

  private WebhookConfigurations(KubernetesClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Starts to watch both configurations and returns. */
  public static WebhookConfigurations watch(KubernetesClient client, String name) {
    var configurations = new WebhookConfigurations(client, name);
    for (var kind : ConfigurationKind.values()) {
      configurations.informers.put(kind, startInformer(configurations.resource(kind)));
    }
    return configurations;
  }

  /** Starts an informer and returns. Failures are retried; a missing right is logged. */
  public static <T> SharedIndexInformer<T> startInformer(Informable<T> watched) {
    var forbidden = new AtomicBoolean();
    var informer =
        watched
            .runnableInformer(0)
            .exceptionHandler(
                (started, failure) -> {
                  logger.debug("a watch failed, will try again", failure);
                  var cause =
                      failure instanceof KubernetesClientException ? failure : failure.getCause();
                  if (cause instanceof KubernetesClientException refused
                      && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                      && !forbidden.getAndSet(true)) {
                    // The runbooks search the log for "registration" and "certificates".
                    logger.warn(
                        "a watch for registration or certificates is refused: {}; will try again",
                        PeriodicTask.explain(refused));
                  }
                  return true;
                });
    // The exception handler and hasSynced() report the result.
    var ignored = informer.start();
    return informer;
  }

  /** Existing configurations, JSON without apiVersion and kind; empty before the first list. */
  public Optional<Map<ConfigurationKind, JsonNode>> watched() {
    if (!informers.values().stream().allMatch(SharedIndexInformer::hasSynced)) {
      return Optional.empty();
    }
    var found = new EnumMap<ConfigurationKind, JsonNode>(ConfigurationKind.class);
    informers.forEach(
        (kind, informer) ->
            informer.getStore().list().stream()
                .map(MAPPER::<JsonNode>valueToTree)
                .filter(configuration -> isOurs(kind, configuration))
                .forEach(configuration -> found.put(kind, configuration)));
    return Optional.of(found);
  }

  /**
   * Whether it calls no Service of another namespace: a webhook that is run by hand may be in
   * another one than the release whose settings it has.
   */
  private boolean isOurs(ConfigurationKind kind, JsonNode configuration) {
    var ours = ApiConnection.namespace(client);
    var others =
        entries(configuration).stream()
            .map(entry -> entry.at("/clientConfig/service/namespace").asText(ours))
            .filter(namespace -> !namespace.equals(ours))
            .findFirst();
    if (others.isPresent() && !hasLoggedOthers) {
      hasLoggedOthers = true;
      logger.warn(
          "{} {}: left alone: it calls a Service in namespace {}, and this webhook is in {}",
          kind.kind(),
          name,
          others.get(),
          ours);
    }
    return others.isEmpty();
  }

  /** Registers gauges: whether each configuration trusts the served certificate. */
  public void register(
      MeterRegistry registry, CertificateSource certificates, InstantSource clock) {
    for (var kind : ConfigurationKind.values()) {
      Gauge.builder(
              "shipshape.webhook.ca.bundle.matches",
              () -> trusts(kind, certificates.current(), clock.instant()) ? 1 : 0)
          .description(
              "1 if each caBundle of the configuration trusts the certificate of this replica.")
          .tag("configuration", kind.label())
          .register(registry);
    }
  }

  private boolean trusts(ConfigurationKind kind, ServingCertificate served, Instant now) {
    return watched().stream()
        .flatMap(found -> Stream.ofNullable(found.get(kind)))
        .map(WebhookConfigurations::entries)
        .anyMatch(
            entries ->
                !entries.isEmpty()
                    && entries.stream()
                        // Test calls trust the new bundle alone, while writes still come by the
                        // old.
                        .filter(entry -> !pathOf(entry.path("clientConfig")).equals("/proof"))
                        .allMatch(entry -> served.isTrustedBy(bundle(entry), now)));
  }

  /** Whether known invalid writes of this resource are refused; empty before the first list. */
  public Optional<Boolean> arms(String group, String plural) {
    return watched()
        .map(
            found ->
                Stream.ofNullable(found.get(ConfigurationKind.VALIDATING))
                    .flatMap(validating -> entries(validating).stream())
                    .filter(entry -> pathOf(entry.path("clientConfig")).equals("/validate"))
                    .flatMap(entry -> entry.path("rules").valueStream())
                    .anyMatch(
                        rule ->
                            holds(rule.path("apiGroups"), group)
                                && holds(rule.path("resources"), plural)));
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
        .filter(entry -> entry.path("name").asText().endsWith(OUR_DOMAIN))
        .toList();
  }

  private Resource<GenericKubernetesResource> resource(ConfigurationKind kind) {
    return client.genericKubernetesResources(kind.resource()).withName(name);
  }

  /** Whether all our entries have this bundle; false before the first list. */
  boolean isPublished(String bundle) {
    return watched().stream()
        .anyMatch(found -> found.values().stream().allMatch(one -> has(one, bundle)));
  }

  private static boolean has(JsonNode configuration, String bundle) {
    return entries(configuration).stream().allMatch(entry -> bundle(entry).equals(bundle));
  }

  /**
   * Writes this bundle into all our entries of the mutating configuration. Leaves a configuration
   * with another source of certificates: replicas of the previous release may still be running.
   * Fails if others change the bundle again and again.
   */
  void publish(String bundle) {
    var mutating = watched().map(found -> found.get(ConfigurationKind.MUTATING)).orElse(null);
    if (mutating == null || has(mutating, bundle)) {
      return;
    }
    var source = mutating.at("/metadata/annotations").path(SOURCE);
    if (!source
        .asText(SelfManagedCertificates.LABEL_VALUE)
        .equals(SelfManagedCertificates.LABEL_VALUE)) {
      return;
    }
    // Only repeated successful writes can loop with another writer.
    if (hasPublished && !publishLimiter.tryAcquirePermit()) {
      throw new IllegalStateException(
          "others change the caBundle of the MutatingWebhookConfiguration %s again and again: left as it is for now; its managed fields name them"
              .formatted(name));
    }
    var encoded = Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.UTF_8));
    var entries =
        entries(mutating).stream()
            .map(entry -> entry.path("name").asText())
            .map(name -> Map.of("name", name, "clientConfig", Map.of("caBundle", encoded)))
            .toList();
    hasPublished = false;
    apply(mutating, FIELD_MANAGER, wanted -> wanted.addToAdditionalProperties("webhooks", entries));
    hasPublished = true;
    logger.info("MutatingWebhookConfiguration {}: caBundle written", name);
  }

  /** The CA bundle of an entry, PEM; empty if it has none. */
  public static String bundle(JsonNode entry) {
    var encoded = entry.at("/clientConfig/caBundle").asText();
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  private void apply(
      JsonNode mutating, String manager, UnaryOperator<GenericKubernetesResourceBuilder> change) {
    // Without the uid, applying would create the object again after its deletion.
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

  /** Makes the namespace the owner, so that the configuration is deleted with it. */
  public void setOwner(JsonNode mutating, Namespace namespace) {
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
