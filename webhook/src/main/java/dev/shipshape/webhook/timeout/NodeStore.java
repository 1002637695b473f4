package dev.shipshape.webhook.timeout;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes each Node as the informer meets it, keeps how it is, and lets it go. */
final class NodeStore implements ItemStore<Node> {
  private final Map<String, NodeState> states = new ConcurrentHashMap<>();

  NodeState state(String name) {
    return states.getOrDefault(name, NodeState.GONE);
  }

  @Override
  public String getKey(Node node) {
    return node.getMetadata().getName();
  }

  /** Gives nothing back: nobody listens for changes. */
  @Override
  public @Nullable Node put(String key, Node node) {
    states.put(key, NodeState.of(node));
    return null;
  }

  @Override
  public @Nullable Node remove(String key) {
    states.remove(key);
    return null;
  }

  @Override
  public Stream<String> keySet() {
    return states.keySet().stream();
  }

  /** Nodes with nothing but their names, from which the informer sees what is gone. */
  @Override
  public Stream<Node> values() {
    return keySet().map(NodeStore::named);
  }

  @Override
  public @Nullable Node get(String key) {
    return states.containsKey(key) ? named(key) : null;
  }

  @Override
  public int size() {
    return states.size();
  }

  @Override
  public boolean isFullState() {
    return false;
  }

  private static Node named(String name) {
    return new NodeBuilder().withNewMetadata().withName(name).endMetadata().build();
  }
}
