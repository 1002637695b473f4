package dev.shipshape.webhook.index;

import dev.shipshape.webhook.identity.ConfigHash;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@link KnownInvalidIndex} is to do, as simply as it can be said. */
final class MapIndex {
  /** In the order in which they were put last. */
  private final Map<String, IndexedObject> objects = new LinkedHashMap<>();

  void put(IndexedObject object) {
    objects.remove(object.key());
    objects.put(object.key(), object);
  }

  void remove(String key) {
    objects.remove(key);
  }

  @Nullable IndexedObject find(String key) {
    return objects.get(key);
  }

  List<IndexedObject> saying(ConfigHash hash) {
    return objects.values().stream()
        .filter(object -> object.isTold() && object.hash().equals(hash))
        .toList();
  }

  List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  long invalidSize() {
    return objects.values().stream()
        .filter(IndexedObject::invalid)
        .map(IndexedObject::hash)
        .distinct()
        .count();
  }
}
