package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.StalenessLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Since when each node of the cluster is ready, by list and watch. */
public final class NodeWatch implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(NodeWatch.class);
  private static final String PATH = "/api/v1/nodes";

  private final Map<String, Instant> ready = new ConcurrentHashMap<>();
  private final SupervisedInformer following;

  private NodeWatch(KubernetesClient client, StalenessLimits limits) {
    following = SupervisedInformer.start("nodes", client, PATH, limits, new ReadyNodes());
  }

  /** Begins to list; returns at once. */
  public static NodeWatch start(KubernetesClient client, StalenessLimits limits) {
    return new NodeWatch(client, limits);
  }

  /**
   * Since when the node of this name is ready; empty where it is not, is being deleted, or is not
   * known because the watch is lost.
   */
  public Optional<Instant> readySince(String name) {
    return following.unavailableReason().isPresent()
        ? Optional.empty()
        : Optional.ofNullable(ready.get(name));
  }

  /** To be called often. */
  public void refresh() {
    following.refresh();
  }

  @Override
  public void close() {
    following.close();
  }

  private final class ReadyNodes implements Reflector.Sink {
    @Override
    public void put(WireObject object) {
      readySince(object)
          .ifPresentOrElse(
              since -> ready.put(object.key(), since), () -> ready.remove(object.key()));
    }

    private Optional<Instant> readySince(WireObject object) {
      try {
        return since(object.tree());
      } catch (IOException e) {
        logger.warn(
            "cannot read node {} (uid {}), which counts as not ready: {}",
            object.key(),
            object.uid(),
            e.getMessage());
        return Optional.empty();
      }
    }

    @Override
    public void remove(String key, String uid) {
      ready.remove(key);
    }

    @Override
    public Stream<String> keys() {
      return ready.keySet().stream();
    }
  }

  /** Since when this node is ready; empty if it is not, or is being deleted. */
  public static Optional<Instant> since(JsonNode node) {
    if (node.path("metadata").path("deletionTimestamp").isTextual()) {
      return Optional.empty();
    }
    for (var condition : node.path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")
          && condition.path("status").asText().equals("True")) {
        var time = ManagedFieldsTimes.seconds(condition.path("lastTransitionTime").asText());
        return Optional.of(Instant.ofEpochSecond(time));
      }
    }
    return Optional.empty();
  }
}
