package dev.shipshape.plugin.release;

import static java.util.Objects.requireNonNullElse;

import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.Schedule;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.arming.Proof;
import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of a release. Null and empty mean that it could not be read.
 *
 * @param ready whether every replica is ready; false without a Deployment
 * @param janitorLeader the pod of the leading janitor; null if none leads, or if it is not known
 * @param leaderProblem why the leading janitor is not known; null if it is
 * @param isAsked whether the API server can call the webhook
 * @param guards the registered guards, and whether each is armed
 * @param nextRun when pruning is due next by the settings
 * @param janitor what the leading janitor last published; null if nothing
 * @param notes information on what the webhook guards, or, of an absent release, on which there
 *     are, a line each
 * @param troubles what is wrong, a line each
 */
public record Status(
    List<String> replicas,
    boolean ready,
    @Nullable String janitorLeader,
    @Nullable String leaderProblem,
    boolean hasWebhook,
    boolean hasJanitor,
    boolean isAsked,
    Map<String, Boolean> guards,
    @Nullable Instant nextRun,
    @Nullable JanitorStatus janitor,
    List<String> notes,
    List<String> troubles) {
  static final String NOT_VALIDATED =
      "there is no ValidatingWebhookConfiguration: nothing is refused, or warned of";
  static final String NOT_MUTATED =
      "there is no MutatingWebhookConfiguration: no object gets hash annotations";
  private static final String BLOCKED =
      "armed, but no replica of the webhook is ready: every write of a guarded object fails;"
          + " disarm --now removes the guard";
  private static final String FORGETS =
      "armed, but the CustomResourceDefinition "
          + KnownInvalidClient.RESOURCE
          + " is missing: what is known invalid is forgotten with its object, or when the replicas"
          + " restart; an upgrade with crds.enabled=true, of the release that has it, restores it;"
          + " a minute later, restart the webhook";
  private static final String NO_LEADER =
      "no replica of the janitor leads: nothing is pruned, and the operator is not checked; the"
          + " logs of running replicas say why, in the lines with \"lease\" or \"idle\"";

  /** As long as in the alert ShipshapeCfsPruneOverdue. */
  private static final Duration OVERDUE = Duration.ofHours(1);

  /** By which the clocks of janitor and API server may differ. */
  private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

  /** Refusals that a person should look at. */
  private static final Set<RestartRefusal> NEEDS_HELP =
      Set.of(RestartRefusal.FAILED, RestartRefusal.PRUNE_FAILED, RestartRefusal.DAILY_BUDGET);

  public Status {
    replicas = List.copyOf(replicas);
    guards = Collections.unmodifiableMap(guards);
    notes = List.copyOf(notes);
    troubles = List.copyOf(troubles);
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
    var pods = objects.pods();
    var settings = objects.settings();
    var troubles = new ArrayList<String>();
    var registration = registration(objects, troubles);
    var validating = registration.map(Registration::validating).orElse(List.of());
    var guards = ReleaseObjects.guards(validating);
    var now = Instant.now();
    var schedule = settings.janitor().map(read -> read.prune().schedule());
    troubles.addAll(guardTroubles(objects, settings, deployments, registration));
    if (!deployments.isEmpty()) {
      troubles.addAll(settings.lost());
      troubles.addAll(objects.outdated(settings));
    }
    if (guards.containsValue(true) && !objects.servesKnownInvalid()) {
      troubles.add(FORGETS);
    }
    var notes =
        new ArrayList<>(
            registration.isEmpty() ? List.of() : objects.wouldHaveRefused(settings, validating));
    notes.addAll(objects.unserved(settings));
    if (deployments.isEmpty() && registration.isPresent()) {
      notes.addAll(objects.alternatives());
    }
    var leader = LeaderStatus.Leader.of(client, release.namespace());
    if (settings.hasJanitor() && !pods.isEmpty() && leader.isNone()) {
      troubles.add(NO_LEADER);
      // If one leads, they are good, though perhaps of another version than this plugin.
      troubles.addAll(settings.problems(""));
    }
    var status = published(client, release, troubles);
    if (!leader.isNone() && status != null && !deployments.isEmpty() && settings.mayHaveJanitor()) {
      troubles.addAll(janitorTroubles(status));
      // A leader makes up for no run that was due before it led.
      var run = status.lastRun();
      Optional.ofNullable(leader.since())
          .map(since -> run == null || since.isAfter(run.at()) ? since : run.at())
          .flatMap(last -> overdue(schedule, last, now))
          .ifPresent(troubles::add);
    }
    troubles.addAll(PodProblems.of(deployments, pods));
    var isReady = !deployments.isEmpty() && deployments.stream().allMatch(Status::isReady);
    if (isReady && validating.stream().anyMatch(WebhookConfiguration::canBeProved)) {
      Proof.attempt(client, release.namespace()).ifPresent(troubles::add);
    }
    return new Status(
        deployments.stream().map(Status::replicas).toList(),
        isReady,
        leader.name(),
        leader.problem(),
        settings.mayHaveWebhook(),
        settings.mayHaveJanitor(),
        !validating.isEmpty() && validating.stream().allMatch(WebhookConfiguration::hasAuthority),
        guards,
        next(schedule, now).orElse(null),
        status,
        notes,
        troubles);
  }

  private static int wanted(Deployment deployment) {
    return requireNonNullElse(deployment.getSpec().getReplicas(), 1);
  }

  /** Whether all desired replicas are ready and of its newest template. */
  private static boolean isReady(Deployment deployment) {
    var status = deployment.getStatus();
    return status != null
        && wanted(deployment) > 0
        && Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
        && Objects.equals(status.getUpdatedReplicas(), wanted(deployment))
        && Readiness.isDeploymentReady(deployment);
  }

  private static String replicas(Deployment deployment) {
    return "%s: %d of %d ready"
        .formatted(
            deployment.getMetadata().getName(),
            ReleaseObjects.available(deployment),
            wanted(deployment));
  }

  private record Registration(
      List<WebhookConfiguration> validating, List<WebhookConfiguration> mutating) {}

  private static @Nullable JanitorStatus published(
      KubernetesClient client, HelmRelease release, List<String> troubles) {
    try {
      return LeaderStatus.published(client, release.namespace());
    } catch (StartFailure e) {
      troubles.add(e.getMessage());
      return null;
    }
  }

  /** Empty if the user has no right to read it, as with the ClusterRole view. */
  private static Optional<Registration> registration(
      ReleaseObjects objects, List<String> troubles) {
    try {
      return Optional.of(new Registration(objects.validating(), objects.mutating()));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      troubles.add("how the guard is registered is not known: " + ApiErrors.reason(e));
      return Optional.empty();
    }
  }

  /** Reports why the guards do not work as the release says. */
  private static List<String> guardTroubles(
      ReleaseObjects objects,
      ReleaseSettings settings,
      List<Deployment> deployments,
      Optional<Registration> registration) {
    var troubles = new ArrayList<String>();
    var validating = registration.map(Registration::validating).orElse(List.of());
    var disarmed = objects.disarmed();
    var isExpected =
        settings.mayHaveWebhook()
            && registration.isPresent()
            && !(deployments.isEmpty() && validating.isEmpty());
    if (disarmed.isPresent()) {
      troubles.add(disarmed.get());
    } else {
      if (isExpected) {
        troubles.addAll(registrationTroubles(validating, NOT_VALIDATED));
      }
      if (!validating.isEmpty() && settings.hasValidating()) {
        troubles.addAll(objects.guardsToChange(settings, validating));
      }
    }
    // A guard that is still registered blocks writes, whatever disarmed it.
    if (ReleaseObjects.blocksWrites(ReleaseObjects.guards(validating), deployments)) {
      troubles.add(BLOCKED);
    }
    if (isExpected) {
      var mutating = registration.get().mutating();
      troubles.addAll(registrationTroubles(mutating, NOT_MUTATED));
      if (!mutating.isEmpty()) {
        troubles.addAll(objects.unstamped(settings, mutating));
      }
    }
    return troubles;
  }

  /** Reports that the leading janitor cannot do its work: the run and the operators say why. */
  private static List<String> janitorTroubles(JanitorStatus janitor) {
    var troubles = new ArrayList<String>();
    var run = janitor.lastRun();
    // One that deletes nothing loses nothing when a rollout or a new leader ends it.
    if (run != null
        && !run.isGood()
        && (janitor.pruneArmed() || run.ending() != Ending.INTERRUPTED)) {
      troubles.add("the janitor's last run did not end well: see last run");
    }
    janitor.operators().stream()
        .filter(Status::needsHelp)
        .forEach(
            each ->
                troubles.add("operator %s needs help: see operator".formatted(each.operator())));
    return troubles;
  }

  /** Reports that no run was published since one was due, as while the janitor hangs. */
  private static Optional<String> overdue(Optional<Schedule> schedule, Instant last, Instant now) {
    return next(schedule, last.plus(CLOCKS_APART))
        .filter(due -> due.isBefore(now.minus(OVERDUE)))
        .map(
            due ->
                "no run of the pruner since %s, but one was due at %s: see the leader's log"
                    .formatted(last, due));
  }

  private static Optional<Instant> next(Optional<Schedule> schedule, Instant after) {
    return schedule.stream().flatMap(each -> each.next(1, after).stream()).findFirst();
  }

  private static boolean needsHelp(OperatorReport operator) {
    if (!operator.armed()) {
      return operator.diagnosis() == Diagnosis.Kind.STUCK;
    }
    return operator.diagnosis() == Diagnosis.Kind.UNREADABLE
        || (operator.refusal() != null && NEEDS_HELP.contains(operator.refusal()));
  }

  private static List<String> registrationTroubles(
      List<WebhookConfiguration> configurations, String none) {
    return configurations.isEmpty()
        ? List.of(none)
        : configurations.stream().flatMap(each -> each.withoutAuthority().stream()).toList();
  }
}
