package dev.shipshape.plugin.release;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.stream.Stream;

/** The last lines of containers that ended, which say why. */
record CrashLogs(KubernetesClient client) {
  private static final int LINES = 10;

  /** Of every container of these pods that ended and is not ready again. */
  List<String> of(List<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && pod.getStatus() != null)
        .flatMap(
            pod ->
                pod.getStatus().getContainerStatuses().stream()
                    .filter(CrashLogs::hasCrashed)
                    .flatMap(container -> lines(pod.getMetadata(), container)))
        .toList();
  }

  private static boolean hasCrashed(ContainerStatus container) {
    return !Boolean.TRUE.equals(container.getReady())
        && (container.getState().getTerminated() != null
            || (container.getLastState() != null
                && container.getLastState().getTerminated() != null));
  }

  private Stream<String> lines(ObjectMeta pod, ContainerStatus container) {
    var about = "%s/%s".formatted(pod.getName(), container.getName());
    var log =
        client
            .pods()
            .inNamespace(pod.getNamespace())
            .withName(pod.getName())
            .inContainer(container.getName());
    try {
      // One that was started again has a log of its own, in which the reason is yet to come.
      var text =
          container.getState().getRunning() == null
              ? log.tailingLines(LINES).getLog()
              : log.terminated().tailingLines(LINES).getLog();
      return Stream.concat(
          Stream.of(about + " ended; its last lines:"), text.lines().map(line -> "  " + line));
    } catch (KubernetesClientException e) {
      return Stream.of(
          "%s ended; its log could not be read: %s".formatted(about, ApiErrors.reason(e)));
    }
  }
}
