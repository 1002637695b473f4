package dev.shipshape.webhook.timeout;

/** What is known of nodes. Answers at once. */
@FunctionalInterface
public interface Nodes {
  /** How the node of this name is. */
  NodeState of(String name);
}
