package dev.shipshape.plugin.release;

import static java.util.Objects.requireNonNullElse;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.restart.OperatorAnnotations;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operator as the leading janitor sees it, and what its Deployment remembers of restarts. Null
 * and empty mean that it is not known.
 *
 * @param deployment the Deployment, {@code namespace/name}
 * @param diagnosis of the leading janitor's last check
 * @param stuckSince when a janitor found it stuck; null if it is not
 * @param signals what the janitor found beside the log, such as {@code silence}
 * @param waitingSessions sessions that are not complete and have no Job
 * @param longestWaitSeconds how long the oldest of them waits
 * @param governor what the janitor would say to a restart, such as {@code ready} or {@code cooling}
 * @param restartsArmed whether the leading janitor restarts it, or only reports
 * @param notRestarted why a stuck operator is not restarted, such as {@code cooldown}; null if it
 *     is not stuck or was just restarted
 * @param restartedAt when it was last restarted, by whomever
 * @param restarts by janitors, as far as the Deployment remembers them, the newest last
 * @param restartCount by janitors, all of them
 * @param restartReason of the newest restart by a janitor
 * @param restartResult the time of the newest restart whose result is known, and the result
 * @param next what the janitor does next
 */
public record OperatorStatus(
    String deployment,
    Diagnosis diagnosis,
    @Nullable Instant stuckSince,
    List<String> signals,
    @Nullable Long waitingSessions,
    @Nullable Long longestWaitSeconds,
    @Nullable String governor,
    @Nullable Boolean restartsArmed,
    @Nullable String notRestarted,
    @Nullable Instant restartedAt,
    List<Instant> restarts,
    int restartCount,
    @Nullable String restartReason,
    @Nullable String restartResult,
    String next) {
  private static final String PREFIX = "shipshape_janitor_";

  /** What the leading janitor's last check came to. */
  public enum Diagnosis {
    NOT_STUCK,
    STUCK,
    /** Its log could not be read, or no check has ended yet. */
    UNREADABLE,
    NO_DEPLOYMENT,
    /** No leading janitor could be asked. */
    UNKNOWN;

    /** For people and programs: {@code not-stuck}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public OperatorStatus {
    signals = List.copyOf(signals);
    restarts = List.copyOf(restarts);
  }

  /**
   * Asks the cluster.
   *
   * @throws StartFailure if the release has no janitor whose settings can be read
   */
  public static OperatorStatus of(KubernetesClient client, HelmRelease release) {
    var objects = new ReleaseObjects(client, release);
    var settings =
        objects
            .settings()
            .janitor()
            .orElseThrow(
                () ->
                    new StartFailure(
                        "there is no janitor of release %s whose settings can be read: name its namespace by -n"
                            .formatted(release)));
    return of(client, settings, PodMetrics.read(client, objects.pods()));
  }

  static OperatorStatus of(KubernetesClient client, JanitorSettings settings, PodMetrics metrics) {
    var operator = settings.operator();
    var deployment =
        client
            .apps()
            .deployments()
            .inNamespace(operator.namespace())
            .withName(operator.deployment())
            .get();
    var name = operator.namespace() + "/" + operator.deployment();
    return of(name, deployment, metrics.leadingJanitor().map(PodMetrics.Scrape::metrics));
  }

  static OperatorStatus of(
      String name, @Nullable Deployment deployment, Optional<Exposition> leader) {
    var annotations = annotations(deployment);
    var since = leader.flatMap(read -> positive(read, "operator_stuck_since_timestamp_seconds"));
    var diagnosis = diagnosis(deployment != null, leader, since.isPresent());
    var isStuck = diagnosis == Diagnosis.STUCK;
    var governor = leader.flatMap(read -> labels(read, "governor", "state").findFirst());
    var armed = leader.map(read -> read.sum(PREFIX + "armed", "task=\"restart\"").orElse(0) > 0);
    var refusal =
        leader
            .filter(_ -> isStuck)
            .flatMap(read -> labels(read, "restart_refused", "reason").findFirst());
    return new OperatorStatus(
        name,
        diagnosis,
        isStuck ? since.map(Instant::ofEpochSecond).orElse(null) : null,
        leader.stream().flatMap(read -> labels(read, "signals_present", "kind")).toList(),
        leader.map(read -> (long) read.sum(PREFIX + "sessions_waiting").orElse(0)).orElse(null),
        leader
            .map(read -> (long) read.sum(PREFIX + "sessions_waiting_longest_seconds").orElse(0))
            .orElse(null),
        governor.orElse(null),
        armed.orElse(null),
        refusal.orElse(null),
        deployment == null ? null : restartedAt(deployment),
        Stream.of(annotations.getOrDefault(OperatorAnnotations.RESTARTS, "").split(",", -1))
            .flatMap(text -> time(text).stream())
            .toList(),
        count(annotations.getOrDefault(OperatorAnnotations.RESTART_COUNT, "")),
        annotations.get(OperatorAnnotations.RESTART_REASON),
        annotations.get(OperatorAnnotations.RESTART_RESULT),
        next(name, diagnosis, refusal.orElse(null), governor.orElse(""), armed.orElse(false)));
  }

  private static Diagnosis diagnosis(
      boolean hasDeployment, Optional<Exposition> leader, boolean isStuck) {
    if (!hasDeployment) {
      return Diagnosis.NO_DEPLOYMENT;
    }
    if (leader.isEmpty()) {
      return Diagnosis.UNKNOWN;
    }
    if (isStuck) {
      return Diagnosis.STUCK;
    }
    return leader.get().sum(PREFIX + "operator_log_readable").orElse(0) > 0
        ? Diagnosis.NOT_STUCK
        : Diagnosis.UNREADABLE;
  }

  private static String next(
      String name, Diagnosis diagnosis, @Nullable String refusal, String governor, boolean armed) {
    return switch (diagnosis) {
      case NO_DEPLOYMENT -> "nothing: there is no Deployment %s to watch".formatted(name);
      case UNKNOWN -> "not known: the metrics of a leading janitor could not be read";
      case UNREADABLE -> "the next check reads its log again";
      case NOT_STUCK ->
          armed
              ? "a restart once it is stuck"
                  + (governor.equals("ready") ? "" : "; the governor now says: " + governor)
              : "a report once it is stuck: restarts are not armed";
      case STUCK -> refusal == null ? "the next checks judge the restart" : after(name, refusal);
    };
  }

  private static String after(String name, String refusal) {
    var slash = name.indexOf('/');
    var byHand =
        "by hand: kubectl -n %s rollout restart deployment/%s"
            .formatted(name.substring(0, slash), name.substring(slash + 1));
    return switch (refusal) {
      case "not-armed" -> "no restart, as restarts are not armed; " + byHand;
      case "daily-budget" ->
          "no restart until the daily budget allows one: a person must look; " + byHand;
      case "cooldown" -> "a restart once the cooldown is over, if it is still stuck";
      case "hourly-budget" -> "a restart once the hourly budget allows it, if it is still stuck";
      case "maintenance" -> "a restart once maintenance is over, if it is still stuck";
      case "no-replicas", "paused" -> "no restart until the Deployment is scaled up and not paused";
      default -> "the next check decides again";
    };
  }

  private static Map<String, String> annotations(@Nullable Deployment deployment) {
    return deployment == null
        ? Map.of()
        : requireNonNullElse(deployment.getMetadata().getAnnotations(), Map.of());
  }

  private static @Nullable Instant restartedAt(Deployment deployment) {
    var template = deployment.getSpec().getTemplate().getMetadata();
    var annotations = template == null ? null : template.getAnnotations();
    return annotations == null
        ? null
        : time(annotations.getOrDefault(OperatorAnnotations.RESTARTED_AT, "")).orElse(null);
  }

  private static Optional<Instant> time(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty(); // Other tools write other forms, or none.
    }
  }

  /** A person may have edited it. */
  private static int count(String text) {
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  private static Optional<Long> positive(Exposition metrics, String name) {
    return metrics.sum(PREFIX + name).stream()
        .filter(value -> value > 0)
        .mapToObj(value -> (long) value)
        .findFirst();
  }

  /** The values of a label, of the samples that are not 0. */
  private static Stream<String> labels(Exposition metrics, String name, String label) {
    return metrics.samples().stream()
        .filter(sample -> sample.name().equals(PREFIX + name) && sample.value() > 0)
        .map(sample -> sample.label(label));
  }

  /** The operator in one line. */
  public String line() {
    return switch (diagnosis) {
      case NO_DEPLOYMENT ->
          "no Deployment %s; check operator.namespace and operator.deployment"
              .formatted(deployment);
      case STUCK ->
          "STUCK since %s; %s"
              .formatted(
                  stuckSince,
                  notRestarted == null
                      ? "it was just restarted"
                      : "not restarted: " + notRestarted);
      case NOT_STUCK -> "not stuck, by its log";
      case UNREADABLE -> "unknown: the leading janitor cannot read its log, or has not looked yet";
      case UNKNOWN -> "unknown: the metrics of a leading janitor could not be read";
    };
  }
}
