package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.Annotations;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operator's workload and its pods at one check.
 *
 * @param object the workload itself
 * @param pods owned by the workload, in any state
 * @param restarts all recorded restarts, oldest first: by janitors and by kubectl, because both
 *     count for the limits
 * @param ours restarts by janitors that the workload, this process or an earlier leader has
 *     recorded, oldest first
 * @param lastStart when the operator last started, for any reason: the time of its newest
 *     ReplicaSet, restart, or container of the pod that has run for longest; null if unknown
 */
record OperatorSnapshot(
    Workload workload,
    Instant serverTime,
    HasMetadata object,
    List<Pod> pods,
    List<Instant> restarts,
    List<Instant> ours,
    @Nullable Instant lastStart) {
  private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

  OperatorSnapshot {
    pods = List.copyOf(pods);
    restarts = List.copyOf(restarts);
    ours = List.copyOf(ours);
  }

  /**
   * Returns the pods that are neither in deletion nor completed. A pod that has ended, for example
   * by an eviction, may exist for long beside its replacement.
   */
  List<Pod> runningPods() {
    return pods.stream().filter(OperatorSnapshot::isRunning).toList();
  }

  static boolean isRunning(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && !ENDED.contains(String.valueOf(pod.getStatus().getPhase()));
  }

  Rollout rollout() {
    return Rollout.of(object);
  }

  boolean isUnderMaintenance() {
    return Annotations.isSet(object.getMetadata().getLabels().get(OperatorAnnotations.MAINTENANCE));
  }

  Optional<RestartResult> result(Instant restart) {
    var text = OperatorAnnotations.of(object, OperatorAnnotations.RESTART_RESULT);
    return Stream.of(RestartResult.values())
        .filter(result -> result.annotation(restart).equals(text))
        .findFirst();
  }

  static Optional<Instant> restartedAt(@Nullable PodTemplateSpec template) {
    return Optional.ofNullable(template)
        .flatMap(found -> Optional.ofNullable(found.getMetadata()))
        .flatMap(meta -> Times.parse(meta.getAnnotations().get(OperatorAnnotations.RESTARTED_AT)));
  }
}
