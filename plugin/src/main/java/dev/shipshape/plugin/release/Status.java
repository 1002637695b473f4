package dev.shipshape.plugin.release;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.webhook.config.Guard;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a release. Null and empty mean that it could not be read.
 *
 * @param ready whether every replica is ready; false without a Deployment
 * @param janitorLeader the pod of the leading janitor; null if none leads
 * @param isAsked whether the API server can call the webhook
 * @param guards the registered guards, and whether each is armed
 * @param areRecordsUnrestricted whether every writer of a guarded resource may write its records,
 *     too
 * @param pruneSettings whether the settings arm pruning
 * @param restartSettings whether the settings arm restarts
 * @param nextRun when pruning is due next by the settings
 * @param certificateExpiry when the first of the replicas' serving certificates expires
 * @param janitor what the leading janitor last published; null if nothing
 * @param notes information on what the webhook guards, a line each
 * @param troubles what is wrong, a line each
 */
public record Status(
    List<String> replicas,
    boolean ready,
    @Nullable String janitorLeader,
    List<Index> index,
    boolean hasWebhook,
    boolean hasJanitor,
    boolean isAsked,
    Map<String, Boolean> guards,
    boolean areRecordsUnrestricted,
    @Nullable Boolean pruneSettings,
    @Nullable Boolean restartSettings,
    @Nullable Instant nextRun,
    @Nullable Instant certificateExpiry,
    @Nullable JanitorStatus janitor,
    List<String> notes,
    List<String> troubles) {
  static final String NOT_VALIDATED =
      "there is no ValidatingWebhookConfiguration: nothing is refused, or warned of";
  static final String NOT_MUTATED =
      "there is no MutatingWebhookConfiguration: no object gets hash annotations";
  private static final String NO_LEADER =
      "no replica of the janitor leads: nothing is pruned, and the operator is not checked; if one"
          + " is idle, its log says why, in the line with \"idle\"";

  /** Refusals that somebody should look at. */
  private static final Set<RestartRefusal> NEEDS_HELP =
      Set.of(RestartRefusal.FAILED, RestartRefusal.PRUNE_FAILED, RestartRefusal.DAILY_BUDGET);

  public Status {
    replicas = List.copyOf(replicas);
    guards = Collections.unmodifiableMap(guards);
    index = List.copyOf(index);
    notes = List.copyOf(notes);
    troubles = List.copyOf(troubles);
  }

  /**
   * The index of one replica of the webhook.
   *
   * @param knownInvalid configurations that are known invalid, from objects and from records
   * @param age in seconds, since it last followed the API server
   */
  public record Index(String pod, long objects, long knownInvalid, double age) {
    private static Index of(WebhookMetrics webhook) {
      return new Index(
          webhook.pod(),
          (long) webhook.values("shipshape_webhook_index_objects").sum(),
          webhook.knownInvalid(),
          webhook.values("shipshape_webhook_index_staleness_seconds").max().orElse(0));
    }
  }

  /**
   * Reads it from the cluster.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not
   *     respond
   */
  public static Status of(KubernetesClient client, HelmRelease release) {
    var objects = new ReleaseObjects(client, release);
    var deployments = objects.deployments();
    var rollouts = deployments.stream().map(DeploymentRollout::of).toList();
    var pods = objects.pods();
    var metrics = WebhookMetrics.read(client, pods);
    var settings = objects.settings();
    var janitor = settings.janitor();
    var validating = objects.validating();
    var guards = ReleaseObjects.guards(validating);
    var mutating = objects.mutating();
    var disarmed = objects.disarmed();
    var now = Instant.now();
    var troubles = new ArrayList<String>();
    if (disarmed.isPresent()) {
      troubles.add(disarmed.get());
    } else {
      if (settings.hasWebhook()) {
        troubles.addAll(problems(validating, NOT_VALIDATED));
      }
      if (!validating.isEmpty()) {
        troubles.addAll(objects.guardsToChange());
      }
      troubles.addAll(objects.dangers(guards, settings, deployments, metrics));
    }
    if (settings.hasWebhook()) {
      troubles.addAll(problems(mutating, NOT_MUTATED));
    }
    troubles.addAll(objects.missingNamespaces(settings));
    var registered = registered(validating, mutating);
    metrics.stream().flatMap(each -> each.problems(now, registered)).forEach(troubles::add);
    var leading = leading(objects, settings.hasJanitor() && !pods.isEmpty(), troubles);
    if (leading.leader() != null && leading.status() != null) {
      troubles.addAll(problems(leading.status()));
    }
    troubles.addAll(ReleaseObjects.problems(deployments, pods, now));
    return new Status(
        rollouts.stream().map(Object::toString).toList(),
        !rollouts.isEmpty() && rollouts.stream().allMatch(DeploymentRollout::isReady),
        leading.leader(),
        metrics.stream().map(Index::of).toList(),
        settings.hasWebhook(),
        settings.mayHaveJanitor(),
        haveAuthority(validating),
        guards,
        settings.webhook().stream()
            .flatMap(read -> read.guards().stream())
            .map(Guard::records)
            .anyMatch(records -> records != null && !records.ownerless()),
        janitor.map(read -> read.prune().armed()).orElse(null),
        janitor.map(JanitorSettings::restartArmed).orElse(null),
        janitor.map(read -> read.prune().schedule()).stream()
            .flatMap(schedule -> schedule.next(1, now).stream())
            .findFirst()
            .orElse(null),
        metrics.stream()
            .flatMap(each -> each.expiry().stream())
            .min(Instant::compareTo)
            .orElse(null),
        leading.status(),
        notes(settings, metrics, objects.wouldHaveRefused()),
        troubles);
  }

  /** Reads it; with neither, if the user has no right to: the ClusterRole view gives none. */
  private static LeaderStatus leading(
      ReleaseObjects objects, boolean isExpected, List<String> troubles) {
    try {
      var leading = LeaderStatus.of(objects);
      if (isExpected && leading.leader() == null) {
        troubles.add(NO_LEADER);
        // If one leads, they are good, though perhaps of another version than this plugin.
        troubles.addAll(objects.settings().problems(""));
      }
      return leading;
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      troubles.add("whether a janitor leads is not known: " + ApiErrors.reason(e));
      return new LeaderStatus(null, null);
    }
  }

  /** Reports why the leading janitor cannot do its work. */
  private static List<String> problems(JanitorStatus janitor) {
    var run = janitor.lastRun();
    return Stream.concat(
            Stream.ofNullable(run)
                .filter(last -> last.ending() == RunReport.Ending.FAILED)
                .map(last -> "the janitor's last run failed: " + last.message()),
            janitor.operators().stream()
                .filter(OperatorReport::armed)
                .flatMap(
                    each ->
                        problem(each)
                            .map(text -> "operator %s: %s".formatted(each.operator(), text))
                            .stream()))
        .toList();
  }

  private static Optional<String> problem(OperatorReport operator) {
    if (operator.diagnosis() == Diagnosis.Kind.UNREADABLE) {
      return Optional.of(operator.detail());
    }
    return Optional.ofNullable(operator.refusal())
        .filter(NEEDS_HELP::contains)
        .map(
            _ ->
                "a restart is due (%s), but was refused: %s"
                    .formatted(operator.restartReason(), operator.refusalDetail()));
  }

  private static List<String> notes(
      ReleaseSettings settings, List<WebhookMetrics> metrics, List<String> wouldHaveRefused) {
    var held = WebhookMetrics.byGuard(metrics, "shipshape_webhook_objects_known_invalid", "");
    var stale = WebhookMetrics.byGuard(metrics, "shipshape_webhook_index_stale_hashes", "");
    var served = WebhookMetrics.byGuard(metrics, "shipshape_webhook_index_served", "");
    // A guard whose version is gone is reported as a trouble of its own.
    WebhookMetrics.byGuard(metrics, "shipshape_webhook_index_version_gone", "")
        .forEach((guard, gone) -> served.computeIfPresent(guard, (_, is) -> is + gone));
    return Stream.of(
            wouldHaveRefused.stream(),
            held.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(
                    each ->
                        "%s: %.0f objects hold a configuration that is known invalid"
                            .formatted(each.getKey(), each.getValue())),
            stale.entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(
                    each ->
                        "%s: %.0f objects carry the hash of another content; the next write of each puts it right"
                            .formatted(each.getKey(), each.getValue())),
            settings.webhook().stream()
                .flatMap(read -> read.guards().stream())
                .filter(guard -> Double.valueOf(0).equals(served.get(guard.name())))
                .map(
                    guard ->
                        "%s: there is no CustomResourceDefinition %s, so nothing to guard yet"
                            .formatted(guard.name(), guard.resource())))
        .flatMap(lines -> lines)
        .toList();
  }

  private static boolean haveAuthority(List<WebhookConfiguration> configurations) {
    return !configurations.isEmpty()
        && configurations.stream().allMatch(WebhookConfiguration::hasAuthority);
  }

  private static Set<String> registered(
      List<WebhookConfiguration> validating, List<WebhookConfiguration> mutating) {
    return Stream.of(Map.entry("validating", validating), Map.entry("mutating", mutating))
        .filter(each -> haveAuthority(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /**
   * Reports why the API server does not call the webhook.
   *
   * @param none what it means if there is no such configuration
   */
  static List<String> problems(List<WebhookConfiguration> configurations, String none) {
    return configurations.isEmpty()
        ? List.of(none)
        : configurations.stream()
            .filter(configuration -> !configuration.hasAuthority())
            .map(
                configuration ->
                    "%s %s has no caBundle: the API server cannot call the webhook"
                        .formatted(configuration.kind(), configuration.name()))
            .toList();
  }
}
