package dev.shipshape.plugin.release;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;

/**
 * A Deployment's replicas and rollout.
 *
 * @param updated those of its newest template; none before its controller has seen that
 */
record DeploymentRollout(String name, int wanted, int ready, int updated, int all) {
  static DeploymentRollout of(Deployment deployment) {
    var status = requireNonNullElse(deployment.getStatus(), new DeploymentStatus());
    var isSeen =
        requireNonNullElse(status.getObservedGeneration(), 0L)
            >= requireNonNullElse(deployment.getMetadata().getGeneration(), 0L);
    return new DeploymentRollout(
        deployment.getMetadata().getName(),
        requireNonNullElse(deployment.getSpec().getReplicas(), 1),
        requireNonNullElse(status.getAvailableReplicas(), 0),
        isSeen ? requireNonNullElse(status.getUpdatedReplicas(), 0) : 0,
        requireNonNullElse(status.getReplicas(), 0));
  }

  private boolean isRollingOut() {
    return updated < wanted || all > wanted;
  }

  /**
   * Whether all desired replicas are ready and of its newest template; false if none is desired.
   */
  boolean isReady() {
    return wanted > 0 && ready == wanted && !isRollingOut();
  }

  @Override
  public String toString() {
    return "%s: %d of %d ready%s"
        .formatted(
            name,
            ready,
            wanted,
            isRollingOut()
                ? ", rolling out: %d of %d updated, %d not ready"
                    .formatted(updated, wanted, all - ready)
                : "");
  }
}
