package dev.shipshape.plugin.release;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains why pods of a release do not run, in the words of kubelet, scheduler and quota. */
final class PodProblems {
  private PodProblems() {}

  /** Returns a line for each reason. */
  static List<String> of(List<Deployment> deployments, List<Pod> pods) {
    return Stream.concat(
            deployments.stream().map(PodProblems::ofDeployment),
            pods.stream().map(PodProblems::ofPod))
        .flatMap(List::stream)
        .toList();
  }

  private static List<String> ofDeployment(Deployment deployment) {
    return deployment.getStatus() == null
        ? List.of()
        : deployment.getStatus().getConditions().stream()
            .filter(each -> each.getType().equals("ReplicaFailure"))
            .filter(each -> each.getStatus().equals("True"))
            .map(each -> line(deployment.getMetadata().getName(), each.getMessage()))
            .toList();
  }

  private static List<String> ofPod(Pod pod) {
    var status = pod.getStatus();
    if (pod.getMetadata().getDeletionTimestamp() != null
        || status == null
        // An evicted pod remains until it is collected; another one runs instead.
        || "Succeeded".equals(status.getPhase())
        || "Failed".equals(status.getPhase())) {
      return List.of();
    }
    var name = pod.getMetadata().getName();
    var waits = new ArrayList<String>();
    // While an init container waits, the others only say PodInitializing.
    for (var container :
        Stream.concat(
                status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
            .toList()) {
      var waiting = container.getState() == null ? null : container.getState().getWaiting();
      if (waiting != null) {
        waits.add(
            line(name + "/" + container.getName(), waiting.getReason(), waiting.getMessage())
                + terminationMessage(container.getLastState()));
      }
    }
    return waits.isEmpty() ? conditions(pod) : waits;
  }

  private static List<String> conditions(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(each -> Set.of("PodScheduled", "Ready").contains(each.getType()))
        .filter(each -> each.getStatus().equals("False"))
        .map(
            each ->
                line(
                    pod.getMetadata().getName(),
                    "not " + each.getType(),
                    each.getReason(),
                    each.getMessage()))
        .toList();
  }

  /** Returns the end of a crashed container's log (terminationMessagePolicy). */
  private static String terminationMessage(@Nullable ContainerState last) {
    var ended = last == null ? null : last.getTerminated();
    return ended == null || ended.getMessage() == null
        ? ""
        : "; its last lines:\n" + ended.getMessage().strip().indent(2).stripTrailing();
  }

  private static String line(String name, @Nullable String... words) {
    return name + ": " + Stream.of(words).filter(Objects::nonNull).collect(Collectors.joining(" "));
  }
}
