package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one guarded resource by their hashes. Written by its feed alone; read by any
 * thread. An object counts only as long as it exists.
 */
public final class KnownInvalidIndex {
  private final Map<String, IndexedObject> byKey = new ConcurrentHashMap<>();

  /** Of the objects that say that their configuration is invalid or suspected. */
  private final Map<ConfigHash, List<IndexedObject>> byHash = new ConcurrentHashMap<>();

  /**
   * Adds an object, or takes what has become of it. The new entry comes before the old one goes: a
   * configuration that stays invalid is known all the time.
   */
  public synchronized void put(IndexedObject object) {
    if (object.isTold()) {
      byHash.compute(
          object.hash(),
          (hash, found) -> Stream.concat(without(object.key(), found), Stream.of(object)).toList());
    }
    var before = byKey.put(object.key(), object);
    if (before != null && !(object.isTold() && object.hash().equals(before.hash()))) {
      takeOut(before);
    }
  }

  /** Takes an object out, which is no mistake where it was not in. */
  public synchronized void remove(String key) {
    var before = byKey.remove(key);
    if (before != null) {
      takeOut(before);
    }
  }

  private void takeOut(IndexedObject object) {
    byHash.computeIfPresent(
        object.hash(),
        (hash, found) -> {
          var left = without(object.key(), found).toList();
          return left.isEmpty() ? null : left;
        });
  }

  private static Stream<IndexedObject> without(String key, @Nullable List<IndexedObject> found) {
    return found == null
        ? Stream.empty()
        : found.stream().filter(object -> !object.key().equals(key));
  }

  /** The objects that say this configuration is invalid, suspected ones too. */
  public List<IndexedObject> saying(ConfigHash hash) {
    return byHash.getOrDefault(hash, List.of());
  }

  /** Whether a record says that this configuration is the node's one to go back to. */
  public boolean isBackup(String namespace, String name, String node, ConfigHash hash) {
    var object = find(IndexedObject.key(namespace, name));
    return object != null
        && object.hash().equals(hash)
        && object.role() instanceof Role.Backup(var owner)
        && owner.equals(node);
  }

  /** Whether the object of this name, whatever it is, has this configuration. */
  public boolean isHeldBy(String namespace, String name, ConfigHash hash) {
    var object = find(IndexedObject.key(namespace, name));
    return object != null && object.hash().equals(hash);
  }

  /** How many objects are in. */
  public int size() {
    return byKey.size();
  }

  /** How many configurations are known invalid. */
  public int invalidSize() {
    return (int)
        byHash.values().stream()
            .filter(objects -> objects.stream().anyMatch(IndexedObject::invalid))
            .count();
  }

  /** The keys of all objects as they are now. */
  public Stream<String> keys() {
    return byKey.keySet().stream();
  }

  /** All objects, each as it is when it is come to. */
  public Stream<IndexedObject> objects() {
    return byKey.values().stream();
  }

  /** What is kept of an object; null where it is not in. */
  @Nullable IndexedObject find(String key) {
    return byKey.get(key);
  }
}
