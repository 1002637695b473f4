package dev.shipshape.janitor.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.kubernetes.ListPages;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The operator's log as the kubelet keeps it, by the times that the kubelet puts before each line.
 * It is polled, not followed: a follow ends unnoticed with its connection.
 */
final class PodLogs implements OperatorLog {
  private final KubernetesApi api;
  private final String pods;
  private final String selector;
  private final String container;

  /**
   * @param labels all of which an operator's pod carries
   * @param container the operator's container, for there may be a proxy beside it
   */
  PodLogs(KubernetesApi api, String namespace, Map<String, String> labels, String container) {
    this.api = api;
    this.pods = "/api/v1/namespaces/" + namespace + "/pods";
    this.selector =
        labels.entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
    this.container = container;
  }

  @Override
  public List<LogScan> read(Instant since, Function<String, LogScan> open) {
    var found = new ArrayList<JsonNode>();
    new ListPages(api)
        .read(pods + "?labelSelector=" + encode(selector), ListPages.FULL, found::add);
    var scans = new ArrayList<LogScan>();
    for (var pod : found) {
      if (pod.path("metadata").path("deletionTimestamp").isMissingNode()) {
        readPod(pod, since, open, scans);
      }
    }
    return scans;
  }

  private void readPod(
      JsonNode pod, Instant since, Function<String, LogScan> open, List<LogScan> scans) {
    for (var status : pod.path("status").path("containerStatuses")) {
      if (status.path("name").asText().equals(container)) {
        var name = pod.path("metadata").path("name").asText();
        var scan = open.apply("pod " + name);
        var state = status.path("state");
        var crashed = status.path("lastState").has("terminated");
        // A container that waits to start again shows its last instance's log without asking.
        if (crashed && state.has("running")) {
          readPrevious(name, since, scan);
        }
        if (crashed || !state.has("waiting")) {
          readContainer(name, "", since, scan);
        }
        scans.add(scan);
      }
    }
  }

  /** The kubelet may have cleared it away already: then there is nothing to count. */
  private void readPrevious(String pod, Instant since, LogScan scan) {
    try {
      readContainer(pod, "&previous=true", since, scan);
    } catch (ApiFailure e) {
      if (e.code() < 400 || e.code() >= 500) {
        throw e;
      }
    }
  }

  private void readContainer(String pod, String previous, Instant since, LogScan scan) {
    var path =
        "%s/%s/log?container=%s&timestamps=true&sinceTime=%s%s"
            .formatted(
                pods,
                pod,
                encode(container),
                encode(since.truncatedTo(ChronoUnit.SECONDS).toString()),
                previous);
    api.stream(
        path,
        "*/*",
        (_, body) -> {
          BoundedLines.forEach(body, line -> accept(line, scan));
          return scan;
        });
  }

  private static void accept(String line, LogScan scan) {
    var space = line.indexOf(' ');
    try {
      scan.accept(Instant.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
    } catch (DateTimeException e) {
      // Not a line of the log but of the kubelet's own about it, such as that it was rotated away.
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
