package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Why not all of a release runs, in the words of those who know: kubelet, scheduler, quota. */
final class Troubles {
  /** As long as the startup probe allows; until then not to be ready is how a pod begins. */
  private static final Duration START = Duration.ofMinutes(1);

  private Troubles() {}

  /** Why a Deployment cannot make its pods; empty where it can. */
  static List<String> ofDeployment(JsonNode deployment) {
    return condition(deployment, "ReplicaFailure", "True", "cannot make its pods").stream()
        .toList();
  }

  /** Why a pod does not run, or runs and is not ready; empty where it is, or is to end. */
  static List<String> ofPod(JsonNode pod, Instant now) {
    if (pod.path("metadata").has("deletionTimestamp") || hasEnded(pod)) {
      return List.of();
    }
    var waiting = waiting(pod);
    if (!waiting.isEmpty()) {
      return waiting;
    }
    return condition(pod, "PodScheduled", "False", "has no node")
        .or(() -> isStarting(pod, now) ? Optional.empty() : unready(pod))
        .stream()
        .toList();
  }

  private static Optional<String> unready(JsonNode pod) {
    return condition(pod, "Ready", "False", "is not ready");
  }

  /** One that was evicted, for instance, lies there until it is collected; another runs instead. */
  private static boolean hasEnded(JsonNode pod) {
    return List.of("Succeeded", "Failed").contains(pod.at("/status/phase").asText());
  }

  private static boolean isStarting(JsonNode pod, Instant now) {
    try {
      var start = OffsetDateTime.parse(pod.at("/status/startTime").asText()).toInstant();
      return now.isBefore(start.plus(START));
    } catch (DateTimeException e) {
      return false; // No kubelet has taken it yet.
    }
  }

  private static List<String> waiting(JsonNode pod) {
    return stream(pod.at("/status/containerStatuses"))
        .filter(container -> container.at("/state/waiting").has("reason"))
        .map(
            container ->
                "%s/%s: %s"
                    .formatted(
                        name(pod),
                        container.path("name").asText(),
                        words(container.at("/state/waiting"))))
        .toList();
  }

  private static Optional<String> condition(
      JsonNode object, String type, String status, String meaning) {
    return stream(object.at("/status/conditions"))
        .filter(condition -> condition.path("type").asText().equals(type))
        .filter(condition -> condition.path("status").asText().equals(status))
        .map(condition -> "%s %s: %s".formatted(name(object), meaning, words(condition)))
        .findFirst();
  }

  private static String words(JsonNode said) {
    return "%s %s".formatted(said.path("reason").asText(), said.path("message").asText()).strip();
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
