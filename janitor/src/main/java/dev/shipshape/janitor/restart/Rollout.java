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
 * What the three kinds of workloads say, each in fields of its own.
 *
 * @param replicas how many pods there should be
 * @param stopped why a restart would have no effect; null if it has one
 * @param isInProgress as {@code kubectl rollout status} sees it: not every replica is the newest
 */
record Rollout(
    LabelSelector selector,
    PodTemplateSpec template,
    int replicas,
    @Nullable String stopped,
    boolean isInProgress) {
  static Rollout of(HasMetadata object) {
    return switch (object) {
      case Deployment deployment -> of(deployment);
      case StatefulSet set -> of(set);
      case DaemonSet set -> of(set);
      default -> throw new IllegalArgumentException("no workload: " + object.getKind());
    };
  }

  /**
   * A rollout that was complete once stays so, even where its pods die later, as in a crash loop.
   */
  private static Rollout of(Deployment object) {
    var spec = object.getSpec();
    var status = Objects.requireNonNullElseGet(object.getStatus(), DeploymentStatus::new);
    var replicas = Objects.requireNonNullElse(spec.getReplicas(), 1);
    var updated = count(status.getUpdatedReplicas());
    var wasComplete =
        status.getConditions().stream()
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
    var kept = rolling == null ? 0 : count(rolling.getPartition());
    var replicas = Objects.requireNonNullElse(spec.getReplicas(), 1);
    // It becomes the current revision once all pods are of it and ready.
    var isCurrent = Objects.equals(status.getCurrentRevision(), status.getUpdateRevision());
    return new Rollout(
        spec.getSelector(),
        spec.getTemplate(),
        replicas,
        stopped(strategy == null ? null : strategy.getType()),
        isUnobserved(object, status.getObservedGeneration())
            || (!isCurrent && (kept == 0 || count(status.getUpdatedReplicas()) < replicas - kept)));
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
        stopped(strategy == null ? null : strategy.getType()),
        isUnobserved(object, status.getObservedGeneration())
            || count(status.getUpdatedNumberScheduled()) < replicas);
  }

  private static @Nullable String stopped(@Nullable String strategy) {
    return "OnDelete".equals(strategy) ? "its updateStrategy is OnDelete" : null;
  }

  private static boolean isUnobserved(HasMetadata object, @Nullable Long observed) {
    return (observed == null ? 0 : observed) < object.getMetadata().getGeneration();
  }

  private static int count(@Nullable Integer replicas) {
    return replicas == null ? 0 : replicas;
  }
}
