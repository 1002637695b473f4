package dev.shipshape.webhook.arming;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.failsafe.RateLimiter;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.GuardedDelete;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.webhook.certificate.ConfigurationKind;
import dev.shipshape.webhook.certificate.WebhookConfigurations;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardedResource;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps the ValidatingWebhookConfiguration equal to the chart's ConfigMap. All replicas do this. If
 * two write at once, the resourceVersion makes the second write fail.
 */
public final class Arming implements AutoCloseable {
  /** While this ConfigMap exists, nothing is registered. The chart never renders it. */
  public static final String DISARMED = "shipshape-disarmed";

  private static final Logger logger = LoggerFactory.getLogger(Arming.class);
  private static final JsonMapper MAPPER = new JsonMapper();

  private static final String UNRELIABLE = "armed, but writes of guarded objects may fail: ";

  /** Cheap: the API server is called only if something has to be written. */
  private static final Duration RECONCILE_INTERVAL = Duration.ofMillis(500);

  private final String namespace;

  private final String configMapName;

  private final KubernetesClient client;
  private final WebhookConfigurations configurations;
  private final Resource<ConfigMap> configMap;
  private final Resource<ConfigMap> disarmedConfigMap;
  private final SharedIndexInformer<ConfigMap> chartInformer;
  private final SharedIndexInformer<ConfigMap> disarmedInformer;
  private final SharedIndexInformer<GenericKubernetesResource> endpointSlices;
  private final Proof proof;
  private final Supplier<Optional<String>> incompleteReason;

  /** The URL paths of their resources. */
  private final Set<String> guarded;

  /** Limits how often changes by others are reverted, so that two writers do not loop. */
  private final RateLimiter<Object> restoreLimiter =
      RateLimiter.burstyBuilder(3, Duration.ofMinutes(3)).build();

  private final Counter restored;
  private volatile int waiting;
  private @Nullable JsonNode lastWritten;
  private final PeriodicTask task;

  /**
   * Starts the task and returns.
   *
   * @param client closed by the caller, as are {@code configurations}
   * @param guards those of this replica that refuse
   * @param certificateProblem why clients will not accept the served certificate; empty if they may
   * @param incompleteReason why this replica could not judge all guards; empty if it can
   */
  public Arming(
      WebhookSettings.Registration settings,
      KubernetesClient client,
      WebhookConfigurations configurations,
      Collection<Guard> guards,
      Supplier<Optional<String>> certificateProblem,
      Supplier<Optional<String>> incompleteReason,
      MeterRegistry registry) {
    this.incompleteReason = incompleteReason;
    this.guarded =
        guards.stream()
            .map(guard -> guard.resource().path())
            .collect(Collectors.toUnmodifiableSet());
    this.namespace = ApiConnection.namespace(client);
    this.configMapName = settings.configMap();
    this.client = client;
    this.configurations = configurations;
    this.configMap = client.configMaps().inNamespace(namespace).withName(settings.configMap());
    this.disarmedConfigMap = client.configMaps().inNamespace(namespace).withName(DISARMED);
    this.proof = new Proof(client, namespace, settings.proofEvery(), certificateProblem);
    this.restored =
        Counter.builder("shipshape.webhook.configuration.restorations")
            .description(
                "Changes by others in the ValidatingWebhookConfiguration that were reverted.")
            .register(registry);
    Gauge.builder("shipshape.webhook.called", () -> proof.isSuccessful() ? 1 : 0)
        .description("1 if the API server was seen to call the webhook.")
        .register(registry);
    Gauge.builder("shipshape.webhook.arming.waiting", () -> waiting)
        .description("Entries that are to refuse writes, but do not yet.")
        .register(registry);
    this.chartInformer = WebhookConfigurations.startInformer(configMap);
    this.disarmedInformer = WebhookConfigurations.startInformer(disarmedConfigMap);
    this.endpointSlices =
        WebhookConfigurations.startInformer(
            client
                .genericKubernetesResources(SLICES)
                .inNamespace(namespace)
                .withLabel("kubernetes.io/service-name", settings.service()));
    this.task = PeriodicTask.start("registration", RECONCILE_INTERVAL, this::reconcile);
  }

  private static final ResourceDefinitionContext SLICES =
      new ResourceDefinitionContext.Builder()
          .withGroup("discovery.k8s.io")
          .withVersion("v1")
          .withKind("EndpointSlice")
          .withPlural("endpointslices")
          .withNamespaced(true)
          .build();

  /** Brings the configuration to the desired state. The caches of watches may be outdated. */
  private void reconcile() {
    if (!chartInformer.hasSynced()
        || !disarmedInformer.hasSynced()
        || !endpointSlices.hasSynced()) {
      return;
    }
    var watched = configurations.watched();
    if (watched.isEmpty()) {
      return;
    }
    var mutating = watched.get().get(ConfigurationKind.MUTATING);
    var problem = reconcile(mutating, watched.get().get(ConfigurationKind.VALIDATING));
    if (mutating != null) {
      try {
        setOwner(mutating);
      } catch (KubernetesClientException e) {
        if (problem.isEmpty()) {
          throw e;
        }
        throw new IllegalStateException(
            problem + "; the namespace does not own it: " + PeriodicTask.explain(e), e);
      }
    }
    if (!problem.isEmpty()) {
      // PeriodicTask logs a repeated message once an hour.
      throw new IllegalStateException(problem);
    }
  }

  /** Returns why nothing is registered, or an entry is not armed or may fail; else empty. */
  private String reconcile(@Nullable JsonNode mutating, @Nullable JsonNode validating) {
    var isDisarmed = first(disarmedInformer) != null;
    var chart = isDisarmed ? null : first(chartInformer);
    if (chart != null && mutating != null) {
      return register(chart, mutating, validating);
    }
    // Nothing is called.
    proof.refresh("");
    waiting = 0;
    if (chart != null) {
      var rendered = RenderedConfiguration.read(chart, client.getKubernetesSerialization());
      waiting = (int) rendered.armed().count();
      return "there is no MutatingWebhookConfiguration, so nothing is registered or guarded";
    }
    // A replica that had not seen the ConfigMap yet may have written the configuration again. This
    // one may not have seen yet that the ConfigMap is gone, and would remove what others write.
    if (isDisarmed && validating != null && disarmedConfigMap.get() != null) {
      remove(validating, "disarmed by the ConfigMap " + DISARMED);
    } else if (validating != null && configMap.get() == null) {
      remove(
          validating,
          "the ConfigMap %s is missing, so nothing is guarded".formatted(configMapName));
    }
    return isDisarmed
        ? "nothing is registered: disarmed by the ConfigMap %s; delete it to register again"
            .formatted(DISARMED)
        : "";
  }

  /**
   * Both configurations are deleted with the namespace, which owns the mutating one. Argo CD never
   * prunes what has an owner: without its guard's rights, an armed guard would stay.
   */
  private void setOwner(JsonNode mutating) {
    var owners = mutating.at("/metadata/ownerReferences").valueStream();
    if (!mutating.path("metadata").path("annotations").has("argocd.argoproj.io/tracking-id")
        && owners.noneMatch(owner -> owner.path("kind").asText().equals("Namespace"))) {
      configurations.setOwner(mutating, client.namespaces().withName(namespace).get());
    }
  }

  /** Writes the configuration. Returns why an entry is not armed or may fail; else empty. */
  private String register(ConfigMap chart, JsonNode mutating, @Nullable JsonNode validating) {
    var configuration = RenderedConfiguration.read(chart, client.getKubernetesSerialization());
    var isArmed = configuration.isArmed();
    // Calls that were seen before the guard was to be armed prove nothing later.
    proof.refresh(isArmed ? PlannedConfiguration.bundle(validating, Proof.ENTRY) : "");
    var trusted = WebhookConfigurations.bundle(mutating.at("/webhooks/0"));
    var planned =
        PlannedConfiguration.of(
            configuration,
            mutating,
            validating,
            trusted,
            proof.isSettled(trusted),
            entry ->
                trusted.isEmpty()
                    ? Optional.of("the MutatingWebhookConfiguration has no caBundle yet")
                    : unguarded(entry)
                        .or(
                            () ->
                                Replicas.objection(
                                    endpointSlices.getStore().list(), configuration.nodes()))
                        .or(() -> proof.objection(trusted))
                        .or(incompleteReason));
    waiting = planned.waiting().size();
    if (planned.manifest() != null) {
      // Stays so if the write is refused, or not repeated because others change it all the time.
      waiting = (int) configuration.armed().count();
      write(planned.manifest(), chart);
      waiting = planned.waiting().size();
    }
    if (!planned.waiting().isEmpty()) {
      return "not armed: %s: %s".formatted(String.join(", ", planned.waiting()), planned.reason());
    }
    return isArmed
        ? configuration
            .armed()
            .flatMap(entry -> unguarded(entry).stream())
            .findFirst()
            .or(proof::problem)
            .map(UNRELIABLE::concat)
            .orElse("")
        : "";
  }

  /** A replica from before the guard was added postpones its writes. */
  private Optional<String> unguarded(JsonNode entry) {
    return entry
        .path("rules")
        .valueStream()
        .map(Arming::path)
        .filter(resource -> !guarded.contains(resource))
        .findFirst()
        .map(
            resource ->
                "this replica has no guard for %s: it began with other settings; if no upgrade is going on, restart its pods by kubectl rollout restart"
                    .formatted(resource));
  }

  private static String path(JsonNode rule) {
    return new GuardedResource(
            rule.at("/apiGroups/0").asText(),
            rule.at("/apiVersions/0").asText(),
            rule.at("/resources/0").asText(),
            "",
            false)
        .path();
  }

  private void write(ObjectNode manifest, ConfigMap chart) {
    var withoutVersion = manifest.deepCopy();
    withoutVersion.withObject("/metadata").remove("resourceVersion");
    var isNew = manifest.at("/metadata/resourceVersion").isMissingNode();
    var isRestoration = withoutVersion.equals(lastWritten) && !isNew;
    if (disarmedConfigMap.get() != null) {
      return;
    }
    var desired = configMap.get();
    if (desired == null || !version(desired).equals(version(chart))) {
      throw new IllegalStateException(
          "the ConfigMap %s has changed, which this replica has not seen yet"
              .formatted(configMapName));
    }
    var arms = manifest.path("webhooks").valueStream().anyMatch(RenderedConfiguration::arms);
    var own = isNew || arms ? client.namespaces().withName(namespace).get() : null;
    if (own != null && own.isMarkedForDeletion()) {
      // There, the ConfigMap that disarms cannot be made.
      throw new IllegalStateException(
          "namespace %s is being deleted: nothing is armed anew".formatted(namespace));
    }
    if (isRestoration && !restoreLimiter.tryAcquirePermit()) {
      throw new IllegalStateException(
          "others change the ValidatingWebhookConfiguration again and again: left as it is for"
              + " now");
    }
    var object =
        client
            .genericKubernetesResources(ConfigurationKind.VALIDATING.resource())
            .resource(MAPPER.convertValue(manifest, GenericKubernetesResource.class));
    try {
      var written = isNew ? object.create() : object.update();
      lastWritten = withoutVersion;
      if (isRestoration) {
        restored.increment();
      }
      logged(written.getKind(), written.getMetadata().getName(), written.getMetadata().getUid())
          .log(
              "{} {}: written (uid {}): {}",
              written.getKind(),
              written.getMetadata().getName(),
              written.getMetadata().getUid(),
              describe(manifest));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      logger.debug("another replica was first");
    }
  }

  private static String version(ConfigMap object) {
    return object.getMetadata().getResourceVersion();
  }

  private void remove(JsonNode validating, String reason) {
    var name = validating.at("/metadata/name").asText();
    var uid = validating.at("/metadata/uid").asText();
    var path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/" + name;
    var version = validating.at("/metadata/resourceVersion").asText();
    try {
      var _ = GuardedDelete.send(client, path, uid, version);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
      logger.debug("another replica was first");
      return;
    }
    logged("ValidatingWebhookConfiguration", name, uid)
        .log("ValidatingWebhookConfiguration {}: removed (uid {}): {}", name, uid, reason);
  }

  private static LoggingEventBuilder logged(String kind, String name, String uid) {
    return logger.atInfo().addKeyValue("object", kind + " " + name).addKeyValue("uid", uid);
  }

  private static String describe(JsonNode manifest) {
    return manifest
        .path("webhooks")
        .valueStream()
        .map(
            entry ->
                entry.path("name").asText()
                    + (RenderedConfiguration.arms(entry) ? " refuses" : " warns"))
        .collect(Collectors.joining(", "));
  }

  private static <T> @Nullable T first(SharedIndexInformer<T> informer) {
    return informer.getStore().list().stream().findAny().orElse(null);
  }

  @Override
  public void close() {
    chartInformer.close();
    disarmedInformer.close();
    endpointSlices.close();
    task.close();
  }
}
