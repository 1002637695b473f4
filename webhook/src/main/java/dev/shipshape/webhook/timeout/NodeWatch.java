package dev.shipshape.webhook.timeout;

import dev.shipshape.webhook.index.Following;
import dev.shipshape.webhook.index.ListWatch;
import dev.shipshape.webhook.index.StalenessLimits;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.Optional;

/** The nodes of the cluster, by list and watch. Of each only its state is kept. */
public final class NodeWatch implements Nodes, AutoCloseable {
  /** Objects a page: bounds what one list answer takes in memory; most of a Node is its images. */
  private static final long PAGE = 50;

  private final NodeStore store;
  private final Following following;

  private NodeWatch(NodeStore store, Following following) {
    this.store = store;
    this.following = following;
  }

  /** Begins to list; returns at once. */
  public static NodeWatch start(KubernetesClient client, StalenessLimits limits) {
    var store = new NodeStore();
    var following =
        Following.start(
            "nodes",
            client,
            "/api/v1/nodes",
            limits,
            () ->
                ListWatch.by(
                    client
                        .resources(Node.class)
                        .withLimit(PAGE)
                        .runnableInformer(0)
                        .removeIndexer("namespace")
                        .itemStore(store)));
    return new NodeWatch(store, following);
  }

  /** While the watch is lost no node is known, so that nothing times out by old news. */
  @Override
  public NodeState of(String name) {
    return following.unusable().isPresent() ? NodeState.UNKNOWN : store.state(name);
  }

  /** Since when the node of this name is ready; empty where it is not, or nobody knows. */
  public Optional<Instant> readySince(String name) {
    return of(name) instanceof NodeState.Ready(var since) ? Optional.of(since) : Optional.empty();
  }

  /** To be called often. */
  public void look() {
    following.look();
  }

  @Override
  public void close() {
    following.close();
  }
}
