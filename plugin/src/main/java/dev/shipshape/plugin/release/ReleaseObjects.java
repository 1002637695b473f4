package dev.shipshape.plugin.release;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import dev.shipshape.plugin.review.KnownInvalidReader;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.arming.Arming;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardedResource;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.Verdict;
import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads a release's objects in the cluster. */
record ReleaseObjects(KubernetesClient client, HelmRelease release) {
  /** Its value is the release's name. Tools may replace the labels of Kubernetes by their own. */
  static final String RELEASE = "shipshape.dev/release";

  private static final String COMPONENT = "app.kubernetes.io/component";
  private static final String HOOK = "hook";

  /** How many writers a line names. */
  private static final int MAX_NAMED_WRITERS = 3;

  private String namespace() {
    return release.namespace();
  }

  private Map<String, String> labels() {
    return Map.of(RELEASE, release.name());
  }

  List<Deployment> deployments() {
    var deployments = client.apps().deployments().inNamespace(namespace());
    return deployments.withLabels(labels()).list().getItems();
  }

  /** The names of other releases of shipshape in the namespace. */
  List<String> others() {
    var deployments = client.apps().deployments().inNamespace(namespace());
    return deployments.withLabel(RELEASE).list().getItems().stream()
        .map(each -> each.getMetadata().getLabels().get(RELEASE))
        .filter(name -> !name.equals(release.name()))
        .distinct()
        .toList();
  }

  /** Whether the release has a Deployment that stays, whichever tool made it. */
  boolean isRunning() {
    return deployments().stream()
        .anyMatch(each -> each.getMetadata().getDeletionTimestamp() == null);
  }

  List<Pod> pods() {
    var pods = client.pods().inNamespace(namespace()).withLabels(labels());
    return pods.withoutLabel(COMPONENT, HOOK).list().getItems();
  }

  ReleaseSettings settings() {
    return new ReleaseSettings(
        client.configMaps().inNamespace(namespace()).withLabels(labels()).list().getItems());
  }

  List<WebhookConfiguration> validating() {
    return ours(all(ValidatingWebhookConfiguration.class));
  }

  List<WebhookConfiguration> mutating() {
    return ours(all(MutatingWebhookConfiguration.class));
  }

  private <T extends HasMetadata> List<T> all(Class<T> kind) {
    return client.resources(kind).withLabels(labels()).list().getItems();
  }

  /** Labels have only the release's name, which a release in another namespace may share. */
  private List<WebhookConfiguration> ours(List<? extends HasMetadata> configurations) {
    return configurations.stream()
        .map(WebhookConfiguration::of)
        .filter(configuration -> configuration.namespace().equals(namespace()))
        .toList();
  }

  /** Returns the other namespaces with a release of this name. */
  List<String> elsewhere() {
    return elsewhere(allDeployments());
  }

  private List<Deployment> allDeployments() {
    return client.apps().deployments().inAnyNamespace().withLabels(labels()).list().getItems();
  }

  /** The janitor alone has no webhook configuration. */
  private List<String> elsewhere(List<Deployment> deployments) {
    return Stream.concat(
            all(MutatingWebhookConfiguration.class).stream()
                .map(each -> WebhookConfiguration.of(each).namespace()),
            deployments.stream().map(each -> each.getMetadata().getNamespace()))
        .filter(other -> !other.equals(namespace()))
        .distinct()
        .toList();
  }

  /** Reports the releases that the user may mean if this one is absent, a line each. */
  List<String> alternatives() {
    return Stream.concat(
            elsewhere(unlessForbidden(List.of(), this::allDeployments)).stream()
                .map("there is one in namespace %s"::formatted),
            others().stream().map("there is the release %s"::formatted))
        .toList();
  }

  /**
   * Returns the configurations by which the API server calls the webhook. The mutating one comes
   * first: while it exists, a replica writes the validating one again.
   */
  List<WebhookConfiguration> webhookConfigurations() {
    return Stream.concat(mutating().stream(), validating().stream()).toList();
  }

  /** Returns the registered guards, and whether each is armed. */
  static SortedMap<String, Boolean> guards(List<WebhookConfiguration> validating) {
    var guards = new TreeMap<String, Boolean>();
    validating.forEach(each -> guards.putAll(each.guards()));
    return guards;
  }

  /**
   * Reports guards whose registration differs from the release, a line each, and where it says why.
   * Not for a release that is disarmed.
   */
  List<String> guardsToChange(ReleaseSettings settings, List<WebhookConfiguration> validating) {
    var now = guards(validating);
    var lines =
        settings.validating().stream()
            .flatMap(desired -> desired.guards().entrySet().stream())
            .filter(each -> !each.getValue().equals(now.get(each.getKey())))
            .map(each -> toChange(each.getKey(), each.getValue(), now.containsKey(each.getKey())))
            .collect(toCollection(ArrayList::new));
    if (!lines.isEmpty()) {
      lines.add(
          "why: %s | grep -E 'registration|certificates'"
              .formatted(
                  release.kubectl(
                      "-n %s logs -c webhook --tail=-1 -l app.kubernetes.io/instance=%s,app.kubernetes.io/component=webhook"
                          .formatted(namespace(), release.name()))));
    }
    return lines;
  }

  private static String toChange(String guard, boolean armed, boolean isThere) {
    return armed
        ? "guard %s is to be armed, but is not yet: that takes two ready replicas (on two nodes, unless guard.oneNode=true) that the API server calls, and no other tool that changes it back"
            .formatted(guard)
        : "guard %s is %s: a running replica of the webhook sees to that"
            .formatted(guard, isThere ? "not to be armed, but is" : "not registered yet");
  }

  /** Whether a guard is armed while no replica of the webhook is ready. */
  static boolean blocksWrites(Map<String, Boolean> guards, List<Deployment> deployments) {
    return guards.containsValue(true)
        && deployments.stream()
            .filter(each -> "webhook".equals(each.getMetadata().getLabels().get(COMPONENT)))
            .allMatch(each -> available(each) == 0);
  }

  static int available(Deployment deployment) {
    var status = deployment.getStatus();
    return status == null ? 0 : requireNonNullElse(status.getAvailableReplicas(), 0);
  }

  /** Whether the cluster serves a resource, in any version. */
  static boolean servesAnyVersion(KubernetesClient client, GuardedResource resource) {
    var group = client.getApiGroup(resource.group());
    return group != null
        && group.getVersions().stream()
            .anyMatch(
                each -> ApiConnection.serves(client, each.getGroupVersion(), resource.plural()));
  }

  /** Whether the cluster serves a resource, in this version. */
  static boolean serves(KubernetesClient client, GuardedResource resource) {
    return ApiConnection.serves(client, resource.apiVersion(), resource.plural());
  }

  /** Reports the guards whose resources the cluster does not have, a line each. */
  List<String> unserved(ReleaseSettings settings) {
    return settings
        .guards()
        .map(Guard::resource)
        .filter(resource -> !servesAnyVersion(client, resource))
        .map("the cluster does not have %s, so nothing of it is guarded"::formatted)
        .toList();
  }

  /** Reports the guards whose resources the cluster has in other versions only, a line each. */
  List<String> outdated(ReleaseSettings settings) {
    return settings
        .guards()
        .filter(Guard::isWatched)
        .map(Guard::resource)
        .filter(resource -> !serves(client, resource) && servesAnyVersion(client, resource))
        .map(
            resource ->
                "the API server serves %s, but not in version %s: nothing new is learned, and if its definition has no such version, nothing is guarded (docs/runbooks/guard-version-gone.md)"
                    .formatted(resource, resource.version()))
        .toList();
  }

  /** Reports the guards whose objects no webhook stamps, a line each. */
  List<String> unstamped(ReleaseSettings settings, List<WebhookConfiguration> mutating) {
    return settings
        .guards()
        .map(Guard::resource)
        .filter(resource -> mutating.stream().allMatch(each -> each.webhookFor(resource).isEmpty()))
        .map(
            resource ->
                "the MutatingWebhookConfiguration does not name %s, so they get no hash annotations; helm shipshape upgrade restores it"
                    .formatted(resource))
        .toList();
  }

  /** Whether what is known invalid can be kept. */
  boolean servesKnownInvalid() {
    return ApiConnection.serves(client, "shipshape.dev/v1alpha1", "knowninvalidconfigurations");
  }

  /** Reports what unarmed guards would have refused, a line each. */
  List<String> wouldHaveRefused(ReleaseSettings settings, List<WebhookConfiguration> validating) {
    var unarmed =
        settings
            .guards()
            .filter(
                guard ->
                    validating.stream()
                        .flatMap(each -> each.webhookFor(guard.resource()).stream())
                        .anyMatch(webhook -> !WebhookConfiguration.isArmed(webhook)))
            .map(Guard::name)
            .collect(Collectors.toSet());
    return known().stream()
        .filter(known -> known.verdict() == Verdict.INVALID && known.attempts().warned() > 0)
        .filter(known -> unarmed.contains(known.key().guard()))
        .collect(Collectors.groupingBy(known -> known.key().guard(), TreeMap::new, toList()))
        .entrySet()
        .stream()
        .map(each -> wouldHaveRefused(each.getKey(), each.getValue()))
        .toList();
  }

  private static String wouldHaveRefused(String guard, List<KnownInvalidConfiguration> tried) {
    var writers = tried.stream().map(known -> known.attempts().lastWriter()).distinct().toList();
    return "%s: %d writes of %d configurations would have been refused since %s, by %s%s"
        .formatted(
            guard,
            tried.stream().mapToLong(known -> known.attempts().warned()).sum(),
            tried.size(),
            tried.stream()
                .map(KnownInvalidConfiguration::created)
                .min(Instant::compareTo)
                .orElseThrow(),
            String.join(", ", writers.subList(0, Math.min(MAX_NAMED_WRITERS, writers.size()))),
            writers.size() > MAX_NAMED_WRITERS
                ? " and " + (writers.size() - MAX_NAMED_WRITERS) + " more"
                : "");
  }

  /** Empty without the right to read them, or without their CRD. */
  private List<KnownInvalidConfiguration> known() {
    try {
      return new KnownInvalidClient(client)
          .list().stream().map(KnownInvalidReader::known).flatMap(Optional::stream).toList();
    } catch (KubernetesClientException e) {
      if (Set.of(HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_NOT_FOUND)
          .contains(e.getCode())) {
        return List.of();
      }
      throw e;
    }
  }

  /** False without the right to read namespaces. */
  boolean isNamespaceAbsent(String name) {
    return unlessForbidden(false, () -> client.namespaces().withName(name).get() == null);
  }

  /** Reads from the cluster what the user need not have the right to read. */
  private static <T> T unlessForbidden(T otherwise, Supplier<T> read) {
    try {
      return read.get();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return otherwise;
      }
      throw e;
    }
  }

  /** Reports that all guards are disarmed, and how to end it; empty if they are not. */
  Optional<String> disarmed() {
    var found = client.configMaps().inNamespace(namespace()).withName(Arming.DISARMED).get();
    return Optional.ofNullable(found)
        .map(
            _ ->
                "DISARMED by ConfigMap %s since %s; %s arms it again; to try it before: upgrade --disarm guard, then --arm guard"
                    .formatted(
                        Arming.DISARMED,
                        found.getMetadata().getCreationTimestamp(),
                        release.armAgain()));
  }

  /** Reports why parts of it do not run, a line each. */
  List<String> problems() {
    return PodProblems.of(deployments(), pods());
  }
}
