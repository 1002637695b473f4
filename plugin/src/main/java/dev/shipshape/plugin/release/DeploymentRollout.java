package dev.shipshape.plugin.release;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;

/**
 * A Deployment's replicas and rollout.
 *
 * @param progress what its newest template still waits for; empty if nothing
 */
record DeploymentRollout(String name, int wanted, int ready, String progress) {
  private static final String OLD_PODS = ", old pods end";

  static DeploymentRollout of(Deployment deployment) {
    var wanted = requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    var status = requireNonNullElse(deployment.getStatus(), new DeploymentStatus());
    var ready = requireNonNullElse(status.getAvailableReplicas(), 0);
    return new DeploymentRollout(
        deployment.getMetadata().getName(),
        wanted,
        ready,
        progress(deployment, status, wanted, ready));
  }

  private static String progress(
      Deployment deployment, DeploymentStatus status, int wanted, int ready) {
    if (requireNonNullElse(status.getObservedGeneration(), 0L)
        < requireNonNullElse(deployment.getMetadata().getGeneration(), 0L)) {
      return ", about to roll out";
    }
    int replicas = requireNonNullElse(status.getReplicas(), 0);
    int updated = requireNonNullElse(status.getUpdatedReplicas(), 0);
    if (updated < wanted || (replicas > wanted && replicas > ready)) {
      return ", rolling out: %d of %d updated, %d not ready"
          .formatted(updated, wanted, replicas - ready);
    }
    return replicas > wanted ? OLD_PODS : "";
  }

  /**
   * Whether all desired replicas are ready, and run its newest template; false if none is desired.
   */
  boolean isReady() {
    return wanted > 0 && ready == wanted && (progress.isEmpty() || progress.equals(OLD_PODS));
  }

  @Override
  public String toString() {
    return "%s: %d of %d ready%s".formatted(name, ready, wanted, progress);
  }
}
