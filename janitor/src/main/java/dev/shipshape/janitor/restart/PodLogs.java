package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.PodLog;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
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
  private final KubernetesClient client;
  private final String container;
  private final Duration timeout;

  /**
   * @param container the operator's container, for there may be a proxy beside it
   * @param timeout for the whole of one log
   */
  PodLogs(KubernetesClient client, String container, Duration timeout) {
    this.client = client;
    this.container = container;
    this.timeout = timeout;
  }

  @Override
  public List<InstanceHealth> read(
      OperatorSnapshot operator, Instant since, Function<String, LogScan> open) {
    var instances = new ArrayList<InstanceHealth>();
    var others = new ArrayList<String>();
    for (var pod : operator.runningPods()) {
      for (var status : pod.getStatus().getContainerStatuses()) {
        if (status.getName().equals(container)) {
          var metadata = pod.getMetadata();
          var log =
              new PodLog(client, metadata.getNamespace(), metadata.getName(), container, timeout);
          instances.add(read(new ContainerLog(log), metadata.getName(), status, since, open));
        } else {
          others.add(status.getName());
        }
      }
    }
    if (instances.isEmpty()) {
      instances.add(
          InstanceHealth.unreadable(
              "no pod of %s has a container %s (operator.container); containers there: %s"
                  .formatted(operator, container, others)));
    }
    return instances;
  }

  /** A log that cannot be read, or not to its end, tells of its own pod only, and nothing. */
  private static InstanceHealth read(
      ContainerLog log,
      String pod,
      ContainerStatus status,
      Instant since,
      Function<String, LogScan> open) {
    var scan = open.apply("pod " + pod);
    var state = status.getState();
    var crashed = status.getLastState() != null && status.getLastState().getTerminated() != null;
    var running = state != null && state.getRunning() != null;
    var waiting = state != null && state.getWaiting() != null;
    try {
      // A container that waits to start again shows its last instance's log without asking.
      if (crashed && running) {
        log.readPrevious(since, scan::accept);
      }
      // Between the list and here it may have started again, and the same log be shown twice.
      var before = scan.lastLine().orElse(Instant.MIN);
      if (crashed || !waiting) {
        log.read(
            since,
            (time, line) -> {
              if (time.isAfter(before)) {
                scan.accept(time, line);
              }
            });
      }
      return new InstanceHealth(scan.diagnosis(), running ? lastSign(log, scan, state) : null);
    } catch (IOException e) {
      return InstanceHealth.unreadable("pod %s: %s".formatted(pod, e.getMessage()));
    }
  }

  private static @Nullable Instant lastSign(ContainerLog log, LogScan scan, ContainerState state)
      throws IOException {
    var last = new AtomicReference<@Nullable Instant>(scan.lastLine().orElse(null));
    if (last.get() == null) {
      log.readLast((time, _) -> last.set(time));
    }
    return last.get() != null ? last.get() : startedAt(state);
  }

  private static @Nullable Instant startedAt(ContainerState state) {
    try {
      return Instant.parse(String.valueOf(state.getRunning().getStartedAt()));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
