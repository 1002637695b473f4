package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.PodLog;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the operator's log from the kubelet, with the kubelet's time of each line. Polls the log: a
 * follow would end without an error if its connection is lost.
 *
 * @param container the operator's container; the pod may have others, such as a proxy
 * @param timeout for one whole log
 */
record PodLogs(KubernetesClient client, String container, Duration timeout) {
  /** A DaemonSet may have a thousand pods, and each log is a request to a node. */
  private static final int MAX_PODS = 50;

  /** The kubelet forgets the crashes of a container that has run for this long. */
  private static final Duration BACKOFF_RESET = Duration.ofMinutes(10);

  /**
   * Reads the log since a time. Keeps no state between two calls, so that no line is counted twice.
   *
   * @return one for each instance of the operator, at least one
   */
  List<InstanceHealth> read(OperatorSnapshot operator, Instant since, Supplier<LogScan> newScan) {
    var instances = new ArrayList<InstanceHealth>();
    var others = new ArrayList<String>();
    for (var pod : operator.runningPods().stream().limit(MAX_PODS).toList()) {
      for (var status : pod.getStatus().getContainerStatuses()) {
        if (status.getName().equals(container)) {
          var metadata = pod.getMetadata();
          var log =
              new PodLog(client, metadata.getNamespace(), metadata.getName(), container, timeout);
          instances.add(read(log, status, since, newScan.get()));
        } else {
          others.add(status.getName());
        }
      }
    }
    if (instances.isEmpty()) {
      instances.add(
          InstanceHealth.unreadable(
              !others.isEmpty()
                  ? "no pod of %s has a container %s; containers there: %s"
                      .formatted(operator.workload(), container, others)
                  : operator.rollout().replicas() == 0
                      ? "it has 0 replicas"
                      : "no pod of %s has begun to start".formatted(operator.workload())));
    }
    return instances;
  }

  /** Reads the log of one pod. If that fails, only this pod is unreadable. */
  private static InstanceHealth read(
      PodLog log, ContainerStatus status, Instant since, LogScan scan) {
    var state = status.getState();
    var crashed = status.getLastState() != null && status.getLastState().getTerminated() != null;
    var running = state != null && state.getRunning() != null;
    var waits =
        state == null || state.getWaiting() == null
            ? null
            : "pod %s: its container waits: %s"
                .formatted(log.pod(), state.getWaiting().getReason());
    if (waits != null && !crashed) {
      return InstanceHealth.unreadable(waits);
    }
    var window = "&sinceTime=" + since.truncatedTo(ChronoUnit.SECONDS);
    try {
      // If a container waits for its restart, the current log is that of its last instance.
      if (crashed && running) {
        read(log, window + "&previous=true", true, scan::accept);
      }
      // If the container has restarted since the list, both logs may be the same.
      var before = scan.lastLine().orElse(Instant.MIN);
      read(
          log,
          window,
          false,
          (time, line) -> {
            if (time.isAfter(before)) {
              scan.accept(time, line);
            }
          });
      var start = running ? Times.parse(state.getRunning().getStartedAt()).orElse(null) : null;
      var diagnosis = scan.diagnosis();
      return new InstanceHealth(
          // A container that does not stay up proves no recovery.
          waits != null && diagnosis.kind().compareTo(Diagnosis.Kind.UNREADABLE) < 0
              ? Diagnosis.unreadable(waits)
              : diagnosis,
          running ? lastActivity(log, scan, start) : null,
          crashed
              && status.getRestartCount() > 1
              && (start == null || start.isAfter(since.minus(BACKOFF_RESET))));
    } catch (IOException e) {
      return InstanceHealth.unreadable("pod %s: %s".formatted(log.pod(), e.getMessage()));
    }
  }

  private static @Nullable Instant lastActivity(PodLog log, LogScan scan, @Nullable Instant start)
      throws IOException {
    var last = new AtomicReference<@Nullable Instant>(scan.lastLine().orElse(null));
    if (last.get() == null) {
      read(log, "&tailLines=1", false, (time, _) -> last.set(time));
    }
    return last.get() != null ? last.get() : start;
  }

  /**
   * Reads lines, each with a time as prefix. Others are messages of the kubelet about the log, for
   * example that it was rotated, or could not be read.
   *
   * @param mayBeGone whether the kubelet may have removed the log; it answers 4xx then
   */
  private static void read(
      PodLog log, String query, boolean mayBeGone, BiConsumer<Instant, String> each)
      throws IOException {
    var timed = new boolean[1];
    var untimed = new boolean[1];
    var code =
        log.read(
            "timestamps=true" + query,
            lines ->
                BoundedLines.forEach(
                    lines,
                    line -> {
                      var isTimed = accept(line, each);
                      timed[0] |= isTimed;
                      untimed[0] |= !isTimed;
                    }));
    if (code != 200 && !(mayBeGone && code < 500)) {
      throw new IOException("%s was answered %d".formatted(log, code));
    }
    if (untimed[0] && !timed[0] && !mayBeGone) {
      throw new IOException("%s: no line has a time of the kubelet".formatted(log));
    }
  }

  private static boolean accept(String line, BiConsumer<Instant, String> each) {
    var space = line.indexOf(' ');
    try {
      each.accept(Instant.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
