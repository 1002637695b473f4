package dev.shipshape.janitor.operator;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operator's Deployment as it stands.
 *
 * @param server the API server's clock when it was read; null where it did not say
 * @param replicas how many there should be
 * @param restarts every restart that the cluster remembers, oldest first: ours, and those made with
 *     kubectl, which tax the operator no less
 * @param ours those that the Deployment itself, or this process, remembers as ours, oldest first
 * @param templateRestartedAt the time that its pods bear; null where none
 * @param maintenance whether its annotation {@code shipshape.dev/maintenance} is there and does not
 *     say false
 * @param lastStart when the operator was last started by anybody, as far as the cluster tells
 * @param restartCount how many restarts of ours there were in all
 * @param judged the last restart of which it is known what it came to, and that; empty for none
 */
record Rollout(
    @Nullable Instant server,
    String uid,
    String resourceVersion,
    int replicas,
    boolean paused,
    boolean inProgress,
    boolean maintenance,
    List<Instant> restarts,
    List<Instant> ours,
    @Nullable Instant templateRestartedAt,
    @Nullable Instant lastStart,
    int restartCount,
    String judged) {

  Rollout {
    restarts = List.copyOf(restarts);
    ours = List.copyOf(ours);
  }

  /**
   * As {@code kubectl rollout status} sees it: not every replica is the newest and available. A
   * rollout that was complete once stays so, even where its pods die later, as in a crash loop.
   */
  static boolean isInProgress(JsonNode deployment) {
    var status = deployment.path("status");
    var replicas = deployment.path("spec").path("replicas").asInt(1);
    var updated = status.path("updatedReplicas").asInt(0);
    return status.path("observedGeneration").asLong(0)
            < deployment.path("metadata").path("generation").asLong(0)
        || updated < replicas
        || status.path("replicas").asInt(0) > updated
        || (status.path("availableReplicas").asInt(0) < updated && !wasComplete(status));
  }

  private static boolean wasComplete(JsonNode status) {
    for (var condition : status.path("conditions")) {
      if (condition.path("type").asText().equals("Progressing")) {
        return condition.path("reason").asText().equals("NewReplicaSetAvailable");
      }
    }
    return false;
  }
}
