package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.webhook.guard.Guard;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes each object as the informer meets it, hashes it and lets it go. So an informer that has
 * synced has an index that is complete.
 */
final class ProjectingStore implements ItemStore<GenericKubernetesResource> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Guard guard;
  private final KnownInvalidIndex index;
  private final List<Onlooker> onlookers;

  ProjectingStore(Guard guard, KnownInvalidIndex index, List<Onlooker> onlookers) {
    this.guard = guard;
    this.index = index;
    this.onlookers = List.copyOf(onlookers);
  }

  @Override
  public String getKey(GenericKubernetesResource object) {
    return Cache.metaNamespaceKeyFunc(object);
  }

  /** Gives nothing back: what was there before is not kept, and nobody listens for changes. */
  @Override
  public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource object) {
    JsonNode json = MAPPER.valueToTree(object);
    var known = Projection.of(guard, json, index.find(key));
    index.put(known);
    onlookers.forEach(onlooker -> onlooker.seen(guard, json, known));
    return null;
  }

  @Override
  public @Nullable GenericKubernetesResource remove(String key) {
    index.remove(key);
    onlookers.forEach(onlooker -> onlooker.gone(guard, key));
    return null;
  }

  @Override
  public Stream<String> keySet() {
    return index.keys();
  }

  /** Objects with nothing but their names, from which the informer sees what is gone. */
  @Override
  public Stream<GenericKubernetesResource> values() {
    return index.keys().map(ProjectingStore::named);
  }

  @Override
  public @Nullable GenericKubernetesResource get(String key) {
    return index.contains(key) ? named(key) : null;
  }

  @Override
  public int size() {
    return index.size();
  }

  @Override
  public boolean isFullState() {
    return false;
  }

  private static GenericKubernetesResource named(String key) {
    var slash = key.indexOf('/');
    var object = new GenericKubernetesResource();
    object.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(slash < 0 ? null : key.substring(0, slash))
            .withName(key.substring(slash + 1))
            .build());
    return object;
  }
}
