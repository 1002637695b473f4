package dev.shipshape.plugin.release;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why pods of a release do not run, in the words of kubelet, scheduler and quota. */
final class PodProblems {
  private PodProblems() {}

  /** Returns why a Deployment cannot create its pods; empty if it can. */
  static List<String> ofDeployment(Deployment deployment) {
    return deployment.getStatus() == null
        ? List.of()
        : deployment.getStatus().getConditions().stream()
            .filter(each -> each.getType().equals("ReplicaFailure"))
            .filter(each -> each.getStatus().equals("True"))
            .map(
                each ->
                    "%s cannot make its pods: %s"
                        .formatted(
                            deployment.getMetadata().getName(),
                            words(each.getReason(), each.getMessage())))
            .toList();
  }

  /** Returns why a pod is not running or not ready; empty if it is ready or terminating. */
  static List<String> ofPod(Pod pod) {
    var status = pod.getStatus();
    if (pod.getMetadata().getDeletionTimestamp() != null
        || status == null
        // An evicted pod remains until it is collected; another one runs instead.
        || "Succeeded".equals(status.getPhase())
        || "Failed".equals(status.getPhase())) {
      return List.of();
    }
    var name = pod.getMetadata().getName();
    var waiting =
        status.getContainerStatuses().stream()
            .flatMap(each -> waiting(name, each).stream())
            .toList();
    if (!waiting.isEmpty()) {
      return waiting;
    }
    return failed(pod, "PodScheduled")
        .map(each -> "%s has no node: %s".formatted(name, each))
        .or(
            () ->
                failed(pod, "Ready")
                    .map(
                        each ->
                            "%s is not ready%s"
                                .formatted(
                                    name, each.isEmpty() ? ", as its node is not" : ": " + each)))
        .stream()
        .toList();
  }

  private static Optional<String> waiting(String pod, ContainerStatus container) {
    var waiting = container.getState() == null ? null : container.getState().getWaiting();
    return waiting == null || waiting.getReason() == null
        ? Optional.empty()
        : Optional.of(
            "%s/%s: %s%s"
                .formatted(
                    pod,
                    container.getName(),
                    words(waiting.getReason(), waiting.getMessage()),
                    terminationMessage(container.getLastState())));
  }

  /** Returns the end of a crashed container's log (terminationMessagePolicy). */
  private static String terminationMessage(@Nullable ContainerState last) {
    var ended = last == null ? null : last.getTerminated();
    return ended == null || ended.getMessage() == null
        ? ""
        : "; its last lines:\n" + ended.getMessage().strip().indent(2).stripTrailing();
  }

  private static Optional<String> failed(Pod pod, String condition) {
    return pod.getStatus().getConditions().stream()
        .filter((PodCondition each) -> each.getType().equals(condition))
        .filter(each -> each.getStatus().equals("False"))
        .map(each -> words(each.getReason(), each.getMessage()))
        .findFirst();
  }

  private static String words(@Nullable String reason, @Nullable String message) {
    return "%s %s"
        .formatted(Objects.requireNonNullElse(reason, ""), Objects.requireNonNullElse(message, ""))
        .strip();
  }
}
