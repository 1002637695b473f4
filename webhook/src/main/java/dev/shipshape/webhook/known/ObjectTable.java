package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects of one guard by key, and the keys of invalid and suspected objects by hash. */
final class ObjectTable {
  /** Limits {@code unprovisioned} for each object. */
  private static final int MAX_UNPROVISIONED = 16;

  final Guard guard;
  final Map<String, IndexedObject> byKey = new ConcurrentHashMap<>();
  final Map<ConfigHash, Set<String>> invalid = new ConcurrentHashMap<>();
  final Map<String, ConfigHash> lastKnownGood = new ConcurrentHashMap<>();

  /** By object: hashes that it had, and was not provisioned with; oldest first. */
  final Map<String, SequencedSet<ConfigHash>> unprovisioned = new ConcurrentHashMap<>();

  /** By record: the hash that the node's object had when the record was written. */
  final Map<String, ConfigHash> confirmed = new ConcurrentHashMap<>();

  ObjectTable(Guard guard) {
    this.guard = guard;
  }

  /** Adds the new entry before it removes the old one, so that readers always see one. */
  void put(IndexedObject object) {
    if (object.isInvalidOrSuspected()) {
      invalid
          .computeIfAbsent(object.hash(), hash -> ConcurrentHashMap.newKeySet())
          .add(object.key());
    }
    var before = byKey.put(object.key(), object);
    removeFromInvalid(before, object);
    if (object.isInvalidRecord()) {
      confirmIfHeld(before, object);
    } else if (guard.records() != null && object.role() instanceof Role.Current) {
      trackUnprovisioned(object);
    }
  }

  void remove(String key) {
    removeFromInvalid(byKey.remove(key), null);
    lastKnownGood.remove(key);
    unprovisioned.remove(key);
    confirmed.remove(key);
  }

  /** Decides once for each content of a record: later writes prove nothing. */
  private void confirmIfHeld(@Nullable IndexedObject before, IndexedObject record) {
    if (before != null && before.isInvalidRecord() && before.hash().equals(record.hash())) {
      return;
    }
    var own = IndexedObject.key(record.namespace(), record.role().node());
    var hashes = unprovisioned.get(own);
    if (hashes != null && hashes.contains(record.hash())) {
      confirmed.put(record.key(), record.hash());
    } else {
      confirmed.remove(record.key());
    }
  }

  /** Remembers the hash, unless the node is provisioned with it. */
  private void trackUnprovisioned(IndexedObject object) {
    var hashes = unprovisioned.computeIfAbsent(object.key(), _ -> new LinkedHashSet<>());
    hashes.remove(object.hash());
    if (!object.hasCurrentStatus(ConfigStatus.PROVISIONED)) {
      hashes.addLast(object.hash());
    }
    if (hashes.size() > MAX_UNPROVISIONED) {
      hashes.removeFirst();
    }
  }

  /** Whether the node's object had the record's configuration when the record was written. */
  boolean isConfirmed(IndexedObject record) {
    return record.hash().equals(confirmed.get(record.key()));
  }

  private void removeFromInvalid(@Nullable IndexedObject before, @Nullable IndexedObject now) {
    if (before == null
        || (now != null && now.isInvalidOrSuspected() && now.hash().equals(before.hash()))) {
      return;
    }
    invalid.computeIfPresent(
        before.hash(),
        (hash, keys) -> {
          keys.remove(before.key());
          return keys.isEmpty() ? null : keys;
        });
  }

  List<IndexedObject> invalid(ConfigHash hash) {
    return invalid.getOrDefault(hash, Set.of()).stream()
        .flatMap(key -> Stream.ofNullable(byKey.get(key)))
        .filter(seen -> seen.isInvalidOrSuspected() && seen.hash().equals(hash))
        .toList();
  }
}
