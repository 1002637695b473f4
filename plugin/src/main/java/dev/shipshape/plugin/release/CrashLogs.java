package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The last lines of containers that ended, which say why. */
record CrashLogs(KubernetesApi api) {
  private static final int LINES = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Of every container of these pods that ended and is not ready again. */
  List<String> of(List<JsonNode> pods) {
    return pods.stream()
        .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
        .flatMap(
            pod ->
                StreamSupport.stream(pod.at("/status/containerStatuses").spliterator(), false)
                    .filter(CrashLogs::hasCrashed)
                    .flatMap(container -> lines(pod.path("metadata"), container)))
        .toList();
  }

  private static boolean hasCrashed(JsonNode container) {
    return !container.path("ready").asBoolean()
        && (container.at("/state").has("terminated")
            || container.at("/lastState").has("terminated"));
  }

  private Stream<String> lines(JsonNode pod, JsonNode container) {
    var name = container.path("name").asText();
    // One that was started again has a log of its own, in which the reason is yet to come.
    var previous = container.path("state").has("running") ? "&previous=true" : "";
    var path =
        "/api/v1/namespaces/%s/pods/%s/log?container=%s&tailLines=%d%s"
            .formatted(
                pod.path("namespace").asText(), pod.path("name").asText(), name, LINES, previous);
    var about = "%s/%s".formatted(pod.path("name").asText(), name);
    try {
      var log =
          api.stream(
              path,
              "*/*",
              PATIENCE,
              (_, body) -> new String(body.readAllBytes(), StandardCharsets.UTF_8));
      return Stream.concat(
          Stream.of(about + " ended; its last lines:"), log.lines().map(line -> "  " + line));
    } catch (ApiFailure e) {
      return Stream.of("%s ended; its log could not be read: %s".formatted(about, e.getMessage()));
    }
  }
}
