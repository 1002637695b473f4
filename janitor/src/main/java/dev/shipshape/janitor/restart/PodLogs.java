package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.PodLog;
import io.fabric8.kubernetes.api.model.ContainerState;
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
 * The operator's log as the kubelet keeps it, by the times that the kubelet puts before each line.
 * It is polled, not followed: a follow ends unnoticed with its connection.
 *
 * @param container the operator's container, for there may be a proxy beside it
 * @param timeout for the whole of one log
 */
record PodLogs(KubernetesClient client, String container, Duration timeout) implements OperatorLog {
  /** A DaemonSet may have a thousand, and each log is a request to a node. */
  private static final int MOST_PODS = 50;

  @Override
  public List<InstanceHealth> read(
      OperatorSnapshot operator, Instant since, Supplier<LogScan> open) {
    var instances = new ArrayList<InstanceHealth>();
    var others = new ArrayList<String>();
    for (var pod : operator.runningPods().stream().limit(MOST_PODS).toList()) {
      for (var status : pod.getStatus().getContainerStatuses()) {
        if (status.getName().equals(container)) {
          var metadata = pod.getMetadata();
          var log =
              new PodLog(client, metadata.getNamespace(), metadata.getName(), container, timeout);
          instances.add(read(log, status, since, open.get()));
        } else {
          others.add(status.getName());
        }
      }
    }
    if (instances.isEmpty()) {
      instances.add(
          InstanceHealth.unreadable(
              operator.rollout().replicas() == 0 && others.isEmpty()
                  ? "it is to have no pods"
                  : "no pod of %s has a container %s; containers there: %s"
                      .formatted(operator, container, others)));
    }
    return instances;
  }

  /** A log that cannot be read, or not to its end, tells of its own pod only, and nothing. */
  private static InstanceHealth read(
      PodLog log, ContainerStatus status, Instant since, LogScan scan) {
    var state = status.getState();
    var crashed = status.getLastState() != null && status.getLastState().getTerminated() != null;
    var running = state != null && state.getRunning() != null;
    var waiting = state != null && state.getWaiting() != null;
    var window = "&sinceTime=" + since.truncatedTo(ChronoUnit.SECONDS);
    try {
      // A container that waits to start again shows its last instance's log without asking.
      if (crashed && running) {
        read(log, window + "&previous=true", true, scan::accept);
      }
      // Between the list and here it may have started again, and the same log be shown twice.
      var before = scan.lastLine().orElse(Instant.MIN);
      if (crashed || !waiting) {
        read(
            log,
            window,
            false,
            (time, line) -> {
              if (time.isAfter(before)) {
                scan.accept(time, line);
              }
            });
      }
      return new InstanceHealth(scan.diagnosis(), running ? lastSign(log, scan, state) : null);
    } catch (IOException e) {
      return InstanceHealth.unreadable("pod %s: %s".formatted(log.pod(), e.getMessage()));
    }
  }

  private static @Nullable Instant lastSign(PodLog log, LogScan scan, ContainerState state)
      throws IOException {
    var last = new AtomicReference<@Nullable Instant>(scan.lastLine().orElse(null));
    if (last.get() == null) {
      read(log, "&tailLines=1", false, (time, _) -> last.set(time));
    }
    return last.get() != null ? last.get() : startedAt(state);
  }

  /**
   * Reads lines, each with its time before it.
   *
   * @param mayBeGone whether the kubelet may have cleared it away, which it answers with 4xx
   */
  private static void read(
      PodLog log, String query, boolean mayBeGone, BiConsumer<Instant, String> each)
      throws IOException {
    var code =
        log.read(
            "timestamps=true" + query,
            lines -> BoundedLines.forEach(lines, line -> accept(line, each)));
    if (code != 200 && !(mayBeGone && code < 500)) {
      throw new IOException("%s was answered %d".formatted(log, code));
    }
  }

  private static void accept(String line, BiConsumer<Instant, String> each) {
    var space = line.indexOf(' ');
    try {
      each.accept(Instant.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
    } catch (DateTimeException e) {
      // Not a line of the log but of the kubelet's own about it, such as that it was rotated away.
    }
  }

  private static @Nullable Instant startedAt(ContainerState state) {
    try {
      return Instant.parse(String.valueOf(state.getRunning().getStartedAt()));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
