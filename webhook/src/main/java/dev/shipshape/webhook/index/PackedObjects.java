package dev.shipshape.webhook.index;

import dev.shipshape.webhook.identity.ConfigHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Objects as bytes, found by their keys, and the invalid ones by their hashes too: less than 90
 * bytes for one that would take 310 as Java objects in hash maps.
 *
 * <p>Entries are appended. One that is gone is marked and skipped until {@link #rebuilt} leaves it
 * behind; until then it keeps its slot by key, past which others may have been put. Entries of the
 * same hash are a chain from the newest to the oldest. Not for several threads at once.
 */
final class PackedObjects {
  private static final int ALLOWED_WASTE = 16 * 1024;

  private final EntryFormat format = new EntryFormat(new SharedTexts());
  private final Slabs slabs = new Slabs();
  private final AddressTable byKey;
  private final AddressTable byHash;
  private int size;
  private int invalid;
  private long wasted;

  /**
   * @param objects how many are to find room
   * @param invalid how many invalid configurations are
   */
  PackedObjects(int objects, int invalid) {
    byKey = new AddressTable(objects);
    byHash = new AddressTable(invalid);
  }

  void put(IndexedObject object) {
    // Whatever can fail comes first: a half-done change could lose what was known.
    var entry = format.write(object);
    var slot = slotOf(object.key());
    retire(byKey.get(slot));
    byKey.set(slot, object.isTold() ? appendInvalid(entry, object.hash()) : slabs.append(entry));
    size++;
  }

  void remove(String key) {
    retire(byKey.get(slotOf(key)));
  }

  @Nullable IndexedObject find(String key) {
    var address = byKey.get(slotOf(key));
    return isThere(address) ? format.read(slabs.at(address)) : null;
  }

  /** The invalid objects of this hash, in the order in which they were put. */
  List<IndexedObject> saying(ConfigHash hash) {
    var found = new ArrayList<IndexedObject>();
    for (var at = byHash.get(slotOf(hash)); at != AddressTable.NONE; at = before(at)) {
      if (isThere(at)) {
        found.add(format.read(slabs.at(at)));
      }
    }
    return found.reversed();
  }

  List<String> keys() {
    return IntStream.range(0, byKey.slots())
        .map(byKey::get)
        .filter(this::isThere)
        .mapToObj(address -> format.key(slabs.at(address)))
        .toList();
  }

  int size() {
    return size;
  }

  /** Whether there is no room for another, or too much is kept that is gone. */
  boolean needsRebuilding() {
    return byKey.isFull()
        || byHash.isFull()
        || wasted > Math.max(ALLOWED_WASTE, slabs.written() / 3);
  }

  /** The same objects, and nothing that is gone. */
  PackedObjects rebuilt() {
    var rebuilt = new PackedObjects(size + 1, invalid + 1);
    forEach(rebuilt::put);
    return rebuilt;
  }

  /** Bytes taken from the heap, but for the shared texts and a few objects. */
  long allocated() {
    return slabs.allocated() + byKey.allocated() + byHash.allocated();
  }

  private void forEach(Consumer<IndexedObject> consumer) {
    slabs.forEach(
        entry -> {
          var isThere = !EntryFormat.isGone(entry.slice());
          var object = format.read(entry);
          if (isThere) {
            consumer.accept(object);
          }
        });
  }

  private int appendInvalid(ByteBuffer entry, ConfigHash hash) {
    var slot = slotOf(hash);
    var newest = byHash.get(slot);
    if (isThere(newest)) {
      EntryFormat.setBefore(entry, newest);
    } else {
      invalid++;
    }
    var address = slabs.append(entry);
    byHash.set(slot, address);
    return address;
  }

  private void retire(int address) {
    if (!isThere(address)) {
      return;
    }
    var entry = slabs.at(address);
    EntryFormat.markGone(entry);
    var object = format.read(entry);
    wasted += entry.position();
    size--;
    if (object.isTold()) {
      unlink(address, slotOf(object.hash()));
    }
  }

  /** Takes an entry out of its chain; the last one stays, marked, lest the slot be lost. */
  private void unlink(int address, int slot) {
    var newest = byHash.get(slot);
    if (newest != address) {
      var after = newest;
      while (before(after) != address) {
        after = before(after);
      }
      EntryFormat.setBefore(slabs.at(after), before(address));
    } else if (before(address) == AddressTable.NONE) {
      invalid--;
    } else {
      byHash.set(slot, before(address));
    }
  }

  private boolean isThere(int address) {
    return address != AddressTable.NONE && !EntryFormat.isGone(slabs.at(address));
  }

  private int before(int address) {
    return EntryFormat.before(slabs.at(address));
  }

  private int slotOf(String key) {
    return byKey.slot(key.hashCode(), address -> format.key(slabs.at(address)).equals(key));
  }

  private int slotOf(ConfigHash hash) {
    return byHash.slot((int) hash.first(), address -> EntryFormat.hasHash(slabs.at(address), hash));
  }
}
