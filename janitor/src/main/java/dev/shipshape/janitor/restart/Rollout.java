package dev.shipshape.janitor.restart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rollout state of a workload, the same for all three kinds.
 *
 * @param replicas the desired number of pods
 * @param blockReason why a restart would have no effect; null if it has one
 * @param isInProgress as in {@code kubectl rollout status}: not every replica is updated
 */
record Rollout(
    LabelSelector selector,
    PodTemplateSpec template,
    int replicas,
    @Nullable String blockReason,
    boolean isInProgress) {
  static Rollout of(HasMetadata object) {
    return switch (object) {
      case Deployment deployment -> of(deployment);
      case StatefulSet set -> of(set);
      case DaemonSet set -> of(set);
      default -> throw new IllegalArgumentException("no workload: " + object.getKind());
    };
  }

  /** A completed rollout stays complete, even if its pods fail later, as in a crash loop. */
  private static Rollout of(Deployment object) {
    var spec = object.getSpec();
    var status = Objects.requireNonNullElseGet(object.getStatus(), DeploymentStatus::new);
    var replicas = Objects.requireNonNullElse(spec.getReplicas(), 1);
    var updated = count(status.getUpdatedReplicas());
    // Without a deadline, Kubernetes does not say whether it was ever complete.
    var wasComplete =
        Objects.equals(spec.getProgressDeadlineSeconds(), Integer.MAX_VALUE)
            || status.getConditions().stream()
                .filter(condition -> condition.getType().equals("Progressing"))
                .anyMatch(condition -> "NewReplicaSetAvailable".equals(condition.getReason()));
    return new Rollout(
        spec.getSelector(),
        spec.getTemplate(),
        replicas,
        Boolean.TRUE.equals(spec.getPaused()) ? "its rollout is paused" : null,
        isUnobserved(object, status.getObservedGeneration())
            || updated < replicas
            || count(status.getReplicas()) > updated
            || (count(status.getAvailableReplicas()) < updated && !wasComplete));
  }

  private static Rollout of(StatefulSet object) {
    var spec = object.getSpec();
    var status = Objects.requireNonNullElseGet(object.getStatus(), StatefulSetStatus::new);
    var strategy = spec.getUpdateStrategy();
    var rolling = strategy == null ? null : strategy.getRollingUpdate();
    var partition = rolling == null ? 0 : count(rolling.getPartition());
    // The update revision becomes the current one when all pods have it and are ready.
    var isCurrent = Objects.equals(status.getCurrentRevision(), status.getUpdateRevision());
    return new Rollout(
        spec.getSelector(),
        spec.getTemplate(),
        Objects.requireNonNullElse(spec.getReplicas(), 1),
        partition > 0
            ? "its updateStrategy has a partition: not all of its pods would be restarted"
            : blockReason(strategy == null ? null : strategy.getType()),
        isUnobserved(object, status.getObservedGeneration()) || !isCurrent);
  }

  private static Rollout of(DaemonSet object) {
    var spec = object.getSpec();
    var status = Objects.requireNonNullElseGet(object.getStatus(), DaemonSetStatus::new);
    var strategy = spec.getUpdateStrategy();
    var replicas = count(status.getDesiredNumberScheduled());
    return new Rollout(
        spec.getSelector(),
        spec.getTemplate(),
        replicas,
        blockReason(strategy == null ? null : strategy.getType()),
        isUnobserved(object, status.getObservedGeneration())
            || count(status.getUpdatedNumberScheduled()) < replicas);
  }

  private static @Nullable String blockReason(@Nullable String strategy) {
    return "OnDelete".equals(strategy) ? "its updateStrategy is OnDelete" : null;
  }

  private static boolean isUnobserved(HasMetadata object, @Nullable Long observed) {
    return (observed == null ? 0 : observed) < object.getMetadata().getGeneration();
  }

  private static int count(@Nullable Integer replicas) {
    return replicas == null ? 0 : replicas;
  }
}
