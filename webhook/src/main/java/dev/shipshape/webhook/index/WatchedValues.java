package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.StalenessLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Watches a resource and keeps one value of each object. */
public final class WatchedValues<T> implements AutoCloseable {
  private final Map<String, T> values = new ConcurrentHashMap<>();
  private final Reflector reflector;

  /** Starts to list and returns. The computed value is empty if an object has none. */
  public WatchedValues(
      String what,
      KubernetesClient client,
      String path,
      StalenessLimits limits,
      Function<JsonNode, Optional<T>> value) {
    reflector = Reflector.start(what, client, path, limits, handler(value));
  }

  private Reflector.Handler handler(Function<JsonNode, Optional<T>> value) {
    return new Reflector.Handler() {
      @Override
      public void put(BoundedObject object) throws IOException {
        value
            .apply(object.tree())
            .ifPresentOrElse(
                found -> values.put(object.key(), found), () -> values.remove(object.key()));
      }

      @Override
      public void remove(String key, String uid) {
        values.remove(key);
      }

      @Override
      public Stream<String> keys() {
        return values.keySet().stream();
      }
    };
  }

  /** Returns the value of an object; empty if it has none or the watch is lost. */
  public Optional<T> get(String key) {
    return isCurrent() ? Optional.ofNullable(values.get(key)) : Optional.empty();
  }

  /** Whether any object has a value; false if the watch is lost. */
  public boolean isAny() {
    return isCurrent() && !values.isEmpty();
  }

  private boolean isCurrent() {
    return reflector.unavailableReason().isEmpty();
  }

  @Override
  public void close() {
    reflector.close();
  }

  /** Since when the node is ready; empty if it is not ready or is being deleted. */
  public static Optional<Instant> readySince(JsonNode node) {
    if (node.path("metadata").path("deletionTimestamp").isTextual()) {
      return Optional.empty();
    }
    return node.at("/status/conditions")
        .valueStream()
        .filter(condition -> condition.path("type").asText().equals("Ready"))
        .filter(condition -> condition.path("status").asText().equals("True"))
        .map(condition -> ManagedFieldsTimes.seconds(condition.path("lastTransitionTime").asText()))
        .map(Instant::ofEpochSecond)
        .findFirst();
  }
}
