package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one guarded resource by their hashes. Written by its feed alone; read by any
 * thread. An object counts only as long as it exists.
 */
public final class KnownInvalidIndex {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** Changed under the write lock, and only by who has this index's monitor too. */
  private PackedObjects objects = new PackedObjects(0, 0);

  /**
   * Adds an object, or takes what has become of it. Between the two no reader finds neither: a
   * configuration that stays invalid is known all the time.
   */
  public synchronized void put(IndexedObject object) {
    makeRoom();
    write(() -> objects.put(object));
  }

  /** Takes an object out, which is no mistake where it was not in. */
  public synchronized void remove(String key) {
    write(() -> objects.remove(key));
    makeRoom();
  }

  /** Readers go on with what there is meanwhile: it takes milliseconds where objects are many. */
  private void makeRoom() {
    if (objects.needsRebuilding()) {
      var rebuilt = objects.rebuilt();
      write(() -> objects = rebuilt);
    }
  }

  /** The objects that say this configuration is invalid, suspected ones too. */
  public List<IndexedObject> saying(ConfigHash hash) {
    return read(of -> of.saying(hash));
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
    return read(PackedObjects::size);
  }

  /** How many configurations are known invalid. */
  public int invalidSize() {
    return (int)
        objects().filter(IndexedObject::invalid).map(IndexedObject::hash).distinct().count();
  }

  /** The keys of all objects as they are now. */
  public Stream<String> keys() {
    return read(PackedObjects::keys).stream();
  }

  /** All objects, each as it is when it is come to. */
  public Stream<IndexedObject> objects() {
    return keys().flatMap(key -> Stream.ofNullable(find(key)));
  }

  /** What is kept of an object; null where it is not in. */
  @Nullable IndexedObject find(String key) {
    return this.<@Nullable IndexedObject>read(of -> of.find(key));
  }

  boolean contains(String key) {
    return find(key) != null;
  }

  /** About how many bytes of the heap it takes. */
  long allocated() {
    return read(PackedObjects::allocated);
  }

  private <T extends @Nullable Object> T read(Function<PackedObjects, T> reading) {
    lock.readLock().lock();
    try {
      return reading.apply(objects);
    } finally {
      lock.readLock().unlock();
    }
  }

  private void write(Runnable writing) {
    lock.writeLock().lock();
    try {
      writing.run();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
