package dev.shipshape.janitor.restart;

import dev.shipshape.janitor.kubernetes.Annotations;
import dev.shipshape.janitor.session.Times;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operator's workload and its pods at one check.
 *
 * @param serverTime the API server's clock at that moment
 * @param pods that are its own, whatever their state
 * @param restarts every restart that the cluster remembers, oldest first: ours, and those made with
 *     kubectl, which tax the operator no less
 * @param ours those that the workload itself, or this process, remembers as ours, oldest first
 * @param lastStart when the operator was last started by anybody, as far as the cluster tells: its
 *     newest ReplicaSet, restart, or container of the pod that has run for longest
 */
record OperatorSnapshot(
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
   * The pods that still matter. One that is being deleted no longer does, nor does one that has
   * ended, as by an eviction: it stays for long, while another does its work.
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

  /** Whether a person has set the label, and not to {@code false}. */
  boolean isUnderMaintenance() {
    var labels =
        Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.<String, String>of());
    return Annotations.isSet(labels.get(OperatorAnnotations.MAINTENANCE));
  }

  /** How many restarts of ours there were in all; a rollback takes the annotation back. */
  int restartCount() {
    try {
      var counted = OperatorAnnotations.of(object, OperatorAnnotations.RESTART_COUNT);
      return Math.max(ours.size(), counted == null ? 0 : Integer.parseInt(counted));
    } catch (NumberFormatException e) {
      return ours.size();
    }
  }

  /** The time that its pods bear; empty where there is none. */
  Optional<Instant> templateRestartedAt() {
    return restartedAt(rollout().template());
  }

  /** What a restart of ours came to, where that is remembered. */
  Optional<RestartResult> result(Instant restart) {
    var text = OperatorAnnotations.of(object, OperatorAnnotations.RESTART_RESULT);
    return Stream.of(RestartResult.values())
        .filter(result -> result.annotation(restart).equals(text))
        .findFirst();
  }

  static Optional<Instant> restartedAt(@Nullable PodTemplateSpec template) {
    return Optional.ofNullable(template)
        .flatMap(found -> Optional.ofNullable(found.getMetadata()))
        .flatMap(metadata -> Optional.ofNullable(metadata.getAnnotations()))
        .flatMap(annotations -> time(annotations.get(OperatorAnnotations.RESTARTED_AT)));
  }

  /**
   * kubectl writes the time of its own zone, other tools write it without one, in UTC. What is in
   * no time's form tells nothing.
   */
  static Optional<Instant> time(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Times.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** How logs name the workload. */
  @Override
  public String toString() {
    var metadata = object.getMetadata();
    return new Workload(
            Workload.Kind.of(object.getKind()), metadata.getNamespace(), metadata.getName())
        .toString();
  }
}
