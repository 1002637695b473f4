package dev.shipshape.janitor.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.DeploymentPods;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operator's log as the kubelet keeps it, by the times that the kubelet puts before each line.
 * It is polled, not followed: a follow ends unnoticed with its connection.
 */
final class PodLogs implements OperatorLog {
  private final KubernetesApi api;
  private final String path;
  private final DeploymentPods pods;
  private final String container;
  private final Duration patience;

  /**
   * @param pods the operator's
   * @param container the operator's container, for there may be a proxy beside it
   * @param patience for the whole of one log
   */
  PodLogs(
      KubernetesApi api,
      String namespace,
      DeploymentPods pods,
      String container,
      Duration patience) {
    this.api = api;
    this.path = "/api/v1/namespaces/" + namespace + "/pods";
    this.pods = pods;
    this.container = container;
    this.patience = patience;
  }

  @Override
  public List<Reading> read(Instant since, Function<String, LogScan> open) {
    var readings = new ArrayList<Reading>();
    var others = new ArrayList<String>();
    for (var pod : list()) {
      for (var status : pod.path("status").path("containerStatuses")) {
        if (status.path("name").asText().equals(container)) {
          var name = pod.path("metadata").path("name").asText();
          readings.add(read(name, status, since, open.apply("pod " + name)));
        } else {
          others.add(status.path("name").asText());
        }
      }
    }
    if (readings.isEmpty()) {
      readings.add(
          Reading.unreadable(
              "no pod of %s has a container %s; containers there: %s"
                  .formatted(pods, container, others)));
    }
    return readings;
  }

  /** How logs name what they are of. */
  @Override
  public String toString() {
    return pods.toString();
  }

  private List<JsonNode> list() {
    var found = new ArrayList<JsonNode>();
    pods.living(found::add);
    return found;
  }

  /** A log that cannot be read, or not to its end, tells of its own pod only, and nothing. */
  private Reading read(String pod, JsonNode status, Instant since, LogScan scan) {
    var log = new ContainerLog(api, path + "/" + pod, container, patience);
    var state = status.path("state");
    var crashed = status.path("lastState").has("terminated");
    try {
      // A container that waits to start again shows its last instance's log without asking.
      if (crashed && state.has("running")) {
        log.readPrevious(since, scan::accept);
      }
      // Between the list and here it may have started again, and the same log be shown twice.
      var before = scan.lastLine().orElse(Instant.MIN);
      if (crashed || !state.has("waiting")) {
        log.read(
            since,
            (time, line) -> {
              if (time.isAfter(before)) {
                scan.accept(time, line);
              }
            });
      }
      return new Reading(
          scan.diagnosis(), state.has("running") ? lastSign(log, scan, state) : null);
    } catch (ApiFailure e) {
      return Reading.unreadable("pod %s: %s".formatted(pod, e.getMessage()));
    }
  }

  private static @Nullable Instant lastSign(ContainerLog log, LogScan scan, JsonNode state) {
    var last = new AtomicReference<@Nullable Instant>(scan.lastLine().orElse(null));
    if (last.get() == null) {
      log.readLast((time, _) -> last.set(time));
    }
    return last.get() != null ? last.get() : startedAt(state);
  }

  private static @Nullable Instant startedAt(JsonNode state) {
    try {
      return Instant.parse(state.path("running").path("startedAt").asText());
    } catch (DateTimeException e) {
      return null;
    }
  }
}
