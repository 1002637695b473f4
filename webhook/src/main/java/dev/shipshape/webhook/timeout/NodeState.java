package dev.shipshape.webhook.timeout;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.time.DateTimeException;
import java.time.Instant;

/** Whether a node can be expected to get on with its configuration. */
public sealed interface NodeState {
  /** It can, since this time. */
  record Ready(Instant since) implements NodeState {}

  /**
   * It cannot, so that nothing follows from how long it takes.
   *
   * @param why reads after "its node"
   */
  record Unfit(String why) implements NodeState {}

  NodeState GONE = new Unfit("is gone");
  NodeState UNKNOWN = new Unfit("is not known, for nodes are not watched now");
  NodeState NOT_READY = new Unfit("is not ready");
  NodeState BEING_DELETED = new Unfit("is being deleted");

  /** What a Node's own status says. */
  static NodeState of(Node node) {
    if (node.getMetadata().getDeletionTimestamp() != null) {
      return BEING_DELETED;
    }
    return node.getStatus() == null
        ? NOT_READY
        : node.getStatus().getConditions().stream()
            .filter(condition -> "Ready".equals(condition.getType()))
            .filter(condition -> "True".equals(condition.getStatus()))
            .<NodeState>map(condition -> new Ready(since(condition)))
            .findFirst()
            .orElse(NOT_READY);
  }

  private static Instant since(NodeCondition condition) {
    var time = condition.getLastTransitionTime();
    try {
      return time == null ? Instant.EPOCH : Instant.parse(time);
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }
}
