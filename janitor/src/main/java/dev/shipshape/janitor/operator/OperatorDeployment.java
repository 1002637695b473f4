package dev.shipshape.janitor.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.Annotations;
import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.DeploymentPods;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.session.Times;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;

/**
 * The operator's Deployment in the cluster. What we remember of restarts is kept on it, in the same
 * write that restarts it, so that it outlives us.
 */
final class OperatorDeployment {
  /** What kubectl sets on the pod template; changing it makes new pods. */
  static final String RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";

  /** Set by a person to {@code true}: hands off. */
  static final String MAINTENANCE = "shipshape.dev/maintenance";

  static final String RESTARTS = "shipshape.dev/restarts";
  static final String RESTART_COUNT = "shipshape.dev/restart-count";
  static final String RESTART_REASON = "shipshape.dev/restart-reason";

  /** The time of the last restart of which it is known what it came to, and that. */
  static final String RESTART_RESULT = "shipshape.dev/restart-result";

  /** Enough for a day's budget several times over. */
  private static final int REMEMBERED = 24;

  /** Where a container's status may say when it was started. */
  private static final List<String> STARTED =
      List.of("/state/running", "/state/terminated", "/lastState/terminated");

  private final KubernetesApi api;
  private final String namespace;
  private final String name;
  private final String container;
  private final DeploymentPods pods;

  /**
   * What this process did: remembered too, for where annotations are reverted and old ReplicaSets
   * are not kept.
   */
  private final Set<Instant> made = new ConcurrentSkipListSet<>();

  OperatorDeployment(KubernetesApi api, String namespace, String name, String container) {
    this.api = api;
    this.namespace = namespace;
    this.name = name;
    this.container = container;
    this.pods = new DeploymentPods(api, namespace, name);
  }

  /** How logs name it. */
  String reference() {
    return pods.toString();
  }

  /**
   * Reads it, and what the cluster remembers of its starts and restarts, ours and other people's.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where it is not there or cannot be read
   */
  Rollout read() {
    var answer = api.require(path());
    var deployment = answer.body();
    var restarts = new TreeSet<Instant>();
    var annotations = deployment.path("metadata").path("annotations");
    for (var time : annotations.path(RESTARTS).asText("").split(",", -1)) {
      add(restarts, time);
    }
    restarts.addAll(made);
    var ours = new ArrayList<>(restarts);
    var starts = new TreeSet<Instant>();
    var template = restartedAt(deployment.path("spec"));
    template.ifPresent(restarts::add);
    pods.all(
        deployment,
        replicaSet -> {
          // These remember what something that reverts annotations made the Deployment forget: each
          // restart left one, which bears its time.
          add(starts, replicaSet.path("metadata").path("creationTimestamp").asText());
          restartedAt(replicaSet.path("spec")).ifPresent(restarts::add);
        },
        pod -> addStarts(pod, starts));
    starts.addAll(restarts);
    return new Rollout(
        answer.date(),
        deployment.path("metadata").path("uid").asText(),
        deployment.path("metadata").path("resourceVersion").asText(),
        deployment.path("spec").path("replicas").asInt(1),
        deployment.path("spec").path("paused").asBoolean(false),
        Rollout.isInProgress(deployment),
        Annotations.isSet(annotations.path(MAINTENANCE).asText(null)),
        new ArrayList<>(restarts),
        ours,
        template.orElse(null),
        starts.isEmpty() ? null : starts.last(),
        annotations.path(RESTART_COUNT).asInt(0),
        annotations.path(RESTART_RESULT).asText(""));
  }

  /**
   * Restarts it as kubectl does, and remembers that, in one write.
   *
   * @param seen what the decision was made from; where the Deployment has changed since, the answer
   *     is 409 and nothing happens
   */
  Answer restart(Rollout seen, String reason, Instant now) {
    var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    var remembered = new ArrayList<>(seen.restarts().stream().map(Instant::toString).toList());
    remembered.add(time);
    var kept = remembered.subList(Math.max(0, remembered.size() - REMEMBERED), remembered.size());
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("resourceVersion", seen.resourceVersion())
        .putObject("annotations")
        .put(RESTARTS, kept.stream().collect(Collectors.joining(",")))
        .put(RESTART_COUNT, String.valueOf(seen.restartCount() + 1))
        .put(RESTART_REASON, reason);
    patch
        .putObject("spec")
        .putObject("template")
        .putObject("metadata")
        .putObject("annotations")
        .put(RESTARTED_AT, time);
    var answer = api.mergePatch(path(), patch);
    if (answer.isSuccessful()) {
      made.add(now.truncatedTo(ChronoUnit.SECONDS));
    }
    return answer;
  }

  /**
   * Remembers what a restart came to, so that whoever leads later need not judge it again.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where that is not possible
   */
  void remember(Instant restart, Aftermath aftermath) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put(RESTART_RESULT, restart + " " + aftermath.name().toLowerCase(Locale.ROOT));
    api.mergePatch(path(), patch).requireSuccess("PATCH " + path());
  }

  /**
   * A container that was started again, by whomever, starts the cooldown anew, even where it has
   * ended since or waits for its next start.
   */
  private void addStarts(JsonNode pod, Set<Instant> starts) {
    for (var status : pod.path("status").path("containerStatuses")) {
      if (status.path("name").asText().equals(container)) {
        for (var state : STARTED) {
          add(starts, status.at(state).path("startedAt").asText());
        }
      }
    }
  }

  private static Optional<Instant> restartedAt(JsonNode spec) {
    return time(
        spec.path("template").path("metadata").path("annotations").path(RESTARTED_AT).asText(""));
  }

  private static void add(Set<Instant> times, String text) {
    time(text).ifPresent(times::add);
  }

  /**
   * kubectl writes the time of its own zone, other tools write it without one, in UTC. What is in
   * no time's form tells nothing.
   */
  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Times.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private String path() {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name;
  }
}
