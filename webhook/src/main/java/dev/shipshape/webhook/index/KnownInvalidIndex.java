package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Role;
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
  private final Map<String, IndexedObject> objects = new ConcurrentHashMap<>();
  private final Map<ConfigHash, List<IndexedObject>> invalid = new ConcurrentHashMap<>();

  /** Adds an object, or takes what has become of it. */
  public void put(IndexedObject object) {
    // The new hash goes in before the old one goes out: in between, both are known.
    var before = objects.put(object.key(), object);
    if (object.invalid()) {
      invalid.merge(object.hash(), List.of(object), KnownInvalidIndex::replaced);
    }
    if (before != null && before.invalid() && !sameEntry(before, object)) {
      forget(before);
    }
  }

  /** Takes an object out, which is no mistake where it was not in. */
  public void remove(String key) {
    var before = objects.remove(key);
    if (before != null && before.invalid()) {
      forget(before);
    }
  }

  /** The objects that say this configuration is invalid. */
  public List<IndexedObject> saying(ConfigHash hash) {
    return invalid.getOrDefault(hash, List.of());
  }

  /** Whether a record says that this configuration is the node's one to go back to. */
  public boolean isBackup(String namespace, String name, String node, ConfigHash hash) {
    var object = objects.get(IndexedObject.key(namespace, name));
    return object != null
        && object.hash().equals(hash)
        && object.role() instanceof Role.Backup(var owner)
        && owner.equals(node);
  }

  /** How many objects are in. */
  public int size() {
    return objects.size();
  }

  /** How many configurations are known invalid. */
  public int invalidSize() {
    return invalid.size();
  }

  /** The keys of all objects. */
  public Stream<String> keys() {
    return objects.keySet().stream();
  }

  /** What is kept of an object; null where it is not in. */
  @Nullable IndexedObject find(String key) {
    return objects.get(key);
  }

  boolean contains(String key) {
    return objects.containsKey(key);
  }

  private static boolean sameEntry(IndexedObject before, IndexedObject now) {
    return now.invalid() && before.hash().equals(now.hash());
  }

  private void forget(IndexedObject object) {
    invalid.computeIfPresent(
        object.hash(),
        (hash, entries) -> {
          var left = without(entries, object.key()).toList();
          return left.isEmpty() ? null : left;
        });
  }

  private static List<IndexedObject> replaced(
      List<IndexedObject> entries, List<IndexedObject> one) {
    var added = one.getFirst();
    return Stream.concat(without(entries, added.key()), Stream.of(added)).toList();
  }

  private static Stream<IndexedObject> without(List<IndexedObject> entries, String key) {
    return entries.stream().filter(entry -> !entry.key().equals(key));
  }
}
