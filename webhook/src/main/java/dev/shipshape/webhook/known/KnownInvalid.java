package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of configurations that are known invalid, from three sources: objects that report it
 * now, KnownInvalidConfigurations, and observations that are not stored yet. All three have the
 * same effect.
 *
 * <p>{@code ObjectFeed} and {@code KnownInvalidStore} update it, {@code ValidationHandler} queries
 * it, {@code KnownInvalidStore} stores the observations. Updates are serialized; queries are safe
 * from any thread.
 */
public final class KnownInvalid {
  private static final Logger logger = LoggerFactory.getLogger(KnownInvalid.class);

  /** Limits the heap while KnownInvalidConfigurations cannot be written. */
  private static final int MOST_UNWRITTEN = 1000;

  private static final int MOST_CONTENTS = 200;

  /** Limits {@code Table.held} for each object. */
  private static final int MOST_HELD = 16;

  private static final int LONGEST_NAME = 253;

  /**
   * A pending write of one KnownInvalidConfiguration.
   *
   * @param before the stored state; null if it is not stored
   * @param after the state to store; null if there is nothing to store
   * @param observations the observations that lead from {@code before} to {@code after}
   */
  public record Unwritten(
      ConfigurationKey key,
      @Nullable KnownInvalidConfiguration before,
      @Nullable KnownInvalidConfiguration after,
      List<Observation> observations) {}

  /** The objects of one guard by key, and the keys of invalid and suspected objects by hash. */
  private static final class Table {
    final Guard guard;
    final Map<String, IndexedObject> byKey = new ConcurrentHashMap<>();
    final Map<ConfigHash, Set<String>> invalid = new ConcurrentHashMap<>();
    final Map<String, ConfigHash> lastKnownGood = new ConcurrentHashMap<>();

    /** By object: hashes that it had, and was not provisioned with; oldest first. */
    final Map<String, List<ConfigHash>> held = new ConcurrentHashMap<>();

    /** By record: the hash that the node's object had when the record was written. */
    final Map<String, ConfigHash> borneOut = new ConcurrentHashMap<>();

    Table(Guard guard) {
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
      leave(before, object);
      if (object.isInvalidRecord()) {
        bearOut(before, object);
      } else if (guard.records() != null && object.role() instanceof Role.Current) {
        hold(object);
      }
    }

    void remove(String key) {
      leave(byKey.remove(key), null);
      lastKnownGood.remove(key);
      held.remove(key);
      borneOut.remove(key);
    }

    /**
     * Decides once for each content of a record: later writes of the node's object prove nothing.
     */
    private void bearOut(@Nullable IndexedObject before, IndexedObject record) {
      if (before != null && before.hash().equals(record.hash())) {
        return;
      }
      var own = IndexedObject.key(record.namespace(), record.role().node());
      if (held.getOrDefault(own, List.of()).contains(record.hash())) {
        borneOut.put(record.key(), record.hash());
      } else {
        borneOut.remove(record.key());
      }
    }

    /**
     * Remembers the hash, unless the node is provisioned with it: then no record can be about it.
     */
    private void hold(IndexedObject object) {
      var others =
          held.getOrDefault(object.key(), List.of()).stream()
              .filter(each -> !each.equals(object.hash()))
              .toList();
      var oldest = Math.max(0, others.size() + 1 - MOST_HELD);
      held.put(
          object.key(),
          works(object)
              ? others
              : Stream.concat(others.stream().skip(oldest), Stream.of(object.hash())).toList());
    }

    /** Whether the node's object had the record's configuration when the record was written. */
    boolean isBorneOut(IndexedObject record) {
      return record.hash().equals(borneOut.get(record.key()));
    }

    private static boolean works(IndexedObject object) {
      return object.says(ConfigStatus.PROVISIONED);
    }

    private void leave(@Nullable IndexedObject before, @Nullable IndexedObject now) {
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

  private final Map<String, Table> tables;
  private final Scope scope;
  private final Duration rewrite;
  private boolean isFull;
  private final Map<ConfigurationKey, KnownInvalidConfiguration> stored = new ConcurrentHashMap<>();
  private final Map<ConfigurationKey, List<Observation>> unwritten = new ConcurrentHashMap<>();
  private final Map<ConfigurationKey, Attempts> uncounted = new ConcurrentHashMap<>();

  /** Configurations with failures that were added since {@code learnWhatWorks} last ran. */
  private final Set<ConfigurationKey> news = new HashSet<>();

  /**
   * @param rewrite minimum age before a repeated failure is stored again
   */
  public KnownInvalid(Collection<Guard> guards, Scope scope, Duration rewrite) {
    tables =
        guards.stream()
            .map(Table::new)
            .collect(
                Collectors.toUnmodifiableMap(table -> table.guard.name(), Function.identity()));
    this.scope = scope;
    this.rewrite = rewrite;
  }

  private Table table(Guard guard) {
    return Objects.requireNonNull(tables.get(guard.name()), guard::name);
  }

  /**
   * Adds or updates an object. Its outcome is stored in a KnownInvalidConfiguration that outlives
   * the object. A record is stored if the node's object had its configuration, because replicas
   * restart; other records may come from refusals or from errors of the API server.
   *
   * @param content the normalised configuration, JSON; null if it is too large or not to be stored
   */
  public synchronized void put(
      Guard guard, IndexedObject object, String uid, @Nullable String content) {
    var table = table(guard);
    table.put(object);
    if (guard.stampsOnly()) {
      return;
    }
    if (object.says(ConfigStatus.PROVISIONED)) {
      table.lastKnownGood.put(object.key(), object.hash());
      observe(worked(guard, object));
    } else if (object.says(ConfigStatus.INVALID)
        || object.suspected()
        || isFailureOf(table, object)) {
      table.lastKnownGood.remove(object.key(), object.hash());
      // Limit the heap: many pending writes must not all hold a content.
      observe(failed(guard, object, uid, unwritten.size() < MOST_CONTENTS ? content : null));
    }
  }

  /**
   * Whether this is the record of a failed rollout. A node that is cut off cannot report itself.
   */
  private boolean isFailureOf(Table table, IndexedObject record) {
    return record.isInvalidRecord()
        && table.isBorneOut(record)
        && !isOfRefusal(table.guard, record, current(key(table.guard, record)));
  }

  /** Adds the object's failure on a further node. */
  public synchronized void addFailure(Guard guard, IndexedObject object, String uid) {
    observe(failed(guard, object, uid, null));
  }

  /** Makes a record count without proof, because the user confirms it. */
  public synchronized void bearOut(Guard guard, String key) {
    var table = table(guard);
    var record = table.byKey.get(key);
    if (record != null && record.isInvalidRecord()) {
      table.borneOut.put(key, record.hash());
    }
  }

  /**
   * Removes an object. Its KnownInvalidConfiguration stays, but does not count if only a record led
   * to it.
   */
  public synchronized void remove(Guard guard, String key) {
    table(guard).remove(key);
  }

  /**
   * Adds or updates a KnownInvalidConfiguration.
   *
   * @return the previous state; null if there was none
   */
  public synchronized @Nullable KnownInvalidConfiguration put(KnownInvalidConfiguration known) {
    var before = stored.put(known.key(), known);
    if (before == null || !before.failures().keySet().equals(known.failures().keySet())) {
      news.add(known.key());
    }
    return before;
  }

  public synchronized void remove(KnownInvalidConfiguration known) {
    stored.remove(known.key());
    uncounted.remove(known.key());
  }

  /**
   * Counts a write that was refused, or would have been. Ignored if there is no
   * KnownInvalidConfiguration.
   */
  public void attempted(Guard guard, String namespace, ConfigHash hash, Attempts attempt) {
    find(guard, namespace, hash).findFirst().ifPresent(known -> attempted(known.key(), attempt));
  }

  /** Adds to the attempts that are not stored yet. */
  public void attempted(ConfigurationKey key, Attempts attempts) {
    uncounted.merge(key, attempts, Attempts::plus);
  }

  /** The configurations with attempts that are not stored yet. */
  public Set<ConfigurationKey> uncounted() {
    return Set.copyOf(uncounted.keySet());
  }

  /** Removes and returns the attempts that are not stored yet. */
  public Attempts takeUncounted(ConfigurationKey key) {
    return Objects.requireNonNullElse(uncounted.remove(key), Attempts.NONE);
  }

  /** Returns the stored state; null if there is none. */
  public @Nullable KnownInvalidConfiguration stored(ConfigurationKey key) {
    return stored.get(key);
  }

  /**
   * Returns the evidence that a configuration is invalid or suspected, without the written object
   * itself; evidence that only warns comes last.
   *
   * @param name the name of the written object
   * @param node the node of the written object
   */
  public List<Evidence> evidence(
      Guard guard, String namespace, String name, String node, ConfigHash hash) {
    if (guard.isProbe(hash)) {
      return List.of(Evidence.PROBE);
    }
    var itself = IndexedObject.key(namespace, name);
    var objects =
        table(guard).invalid(hash).stream().filter(seen -> !seen.key().equals(itself)).toList();
    var isPerNode = scope.isPerNode(guard);
    var told =
        objects.stream()
            .filter(seen -> guard.reaches(seen.namespace(), namespace) && counts(guard, seen))
            .map(seen -> Evidence.of(guard, seen, isSuspected(guard, seen)));
    var remembered =
        find(guard, namespace, hash)
            .filter(known -> objects.stream().noneMatch(seen -> saysAllOf(known, seen, isPerNode)))
            .map(Evidence::of);
    return Stream.concat(told, remembered)
        .filter(finding -> !isPerNode || finding.isAbout(node))
        .sorted(Comparator.comparing(Evidence::onlyWarns))
        .toList();
  }

  private static boolean saysAllOf(
      KnownInvalidConfiguration known, IndexedObject seen, boolean isPerNode) {
    return seen.suspected() == (known.verdict() == Verdict.SUSPECTED)
        && seen.name().equals(known.source().name())
        && seen.namespace().equals(known.key().namespace())
        && (known.nodes().size() <= 1 || !isPerNode);
  }

  /** Returns the pending writes. */
  public synchronized List<Unwritten> unwritten() {
    learnWhatWorks();
    return unwritten.entrySet().stream()
        .map(
            waiting -> {
              var before = stored.get(waiting.getKey());
              return new Unwritten(
                  waiting.getKey(), before, after(before, waiting.getValue()), waiting.getValue());
            })
        .toList();
  }

  /**
   * Observes successes again: when an object was first seen, the failure of its configuration may
   * not have been known.
   */
  private void learnWhatWorks() {
    if (!news.isEmpty()) {
      for (var table : tables.values()) {
        table.byKey.values().stream()
            .filter(seen -> Table.works(seen) && news.contains(key(table.guard, seen)))
            .forEach(seen -> observe(worked(table.guard, seen)));
      }
      news.clear();
    }
  }

  /** Removes the observations of a write that is done or not needed. */
  public synchronized void written(Unwritten done) {
    unwritten.computeIfPresent(
        done.key(),
        (key, waiting) -> {
          var left = waiting.stream().filter(each -> !done.observations().contains(each)).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /**
   * Updates the stored state after a response of the API server, unless the watch has changed it
   * since.
   *
   * @param before the state when the request was sent
   * @param now the state in the response; null if it does not exist
   */
  public synchronized void replaceIfUnchanged(
      ConfigurationKey key,
      @Nullable KnownInvalidConfiguration before,
      @Nullable KnownInvalidConfiguration now) {
    stored.compute(key, (of, seen) -> Objects.equals(seen, before) ? now : seen);
  }

  private Stream<KnownInvalidConfiguration> find(Guard guard, String namespace, ConfigHash hash) {
    var keys =
        guard.acrossNamespaces()
            ? Stream.concat(List.copyOf(unwritten.keySet()).stream(), stored.keySet().stream())
                .filter(key -> key.guard().equals(guard.name()) && key.hash().equals(hash))
                .distinct()
            : Stream.of(new ConfigurationKey(guard.name(), namespace, hash));
    return keys.flatMap(key -> Stream.ofNullable(current(key)))
        .filter(known -> known.counts() && !isOfGoneRecord(table(guard), known));
  }

  /** Whether only a record led to it, and the record is deleted: this is how users revoke it. */
  private static boolean isOfGoneRecord(Table table, KnownInvalidConfiguration known) {
    var records = table.guard.records();
    if (records == null || known.isImported() || known.nodes().size() != 1) {
      return false;
    }
    var record = records.invalidOf(known.nodes().getFirst());
    var seen = table.byKey.get(IndexedObject.key(known.key().namespace(), record));
    return known.source().name().equals(record)
        && (seen == null || !seen.hash().equals(known.key().hash()));
  }

  /**
   * Whether nothing confirms the object's report. Operators write a record after any error, so the
   * node may never have had the configuration.
   */
  public boolean isSuspected(Guard guard, IndexedObject object) {
    return object.suspected() || (object.isInvalidRecord() && !isBorneOut(guard, object));
  }

  private boolean isBorneOut(Guard guard, IndexedObject record) {
    var known = current(key(guard, record));
    return table(guard).isBorneOut(record)
        || (known != null
            && known.verdict() == Verdict.INVALID
            && known.failures().containsKey(record.role().node()));
  }

  /** Whether an object makes its configuration known invalid or suspected. */
  private boolean counts(Guard guard, IndexedObject object) {
    if (guard.stampsOnly() || !object.isInvalidOrSuspected()) {
      return false;
    }
    var known = current(key(guard, object));
    var isCleared =
        known != null
            && known.isClearedByHand()
            && object.earliest() <= known.clearedAt().getEpochSecond();
    return !isCleared && !isOfRefusal(guard, object, known);
  }

  /**
   * Whether an operator wrote this record because its write was refused: the configuration was
   * known invalid before, and no failure on this node is known. Such a record says nothing about
   * its node.
   */
  private boolean isOfRefusal(
      Guard guard, IndexedObject object, @Nullable KnownInvalidConfiguration known) {
    var at = Instant.ofEpochSecond(object.at());
    return known != null
        && object.isInvalidRecord()
        && !scope.isPerNode(guard)
        && !at.isBefore(known.since())
        && (known.verdict() == Verdict.CLEARED
            ? !at.isAfter(known.clearedAt())
            : !known.failures().containsKey(object.role().node()));
  }

  /** Whether this configuration is the node's backup, by a record. */
  public boolean isBackup(
      Guard guard, String namespace, String name, String node, ConfigHash hash) {
    var object = find(guard, IndexedObject.key(namespace, name));
    return object != null
        && object.hash().equals(hash)
        && object.role() instanceof Role.Backup(var owner)
        && owner.equals(node);
  }

  /** Whether the object of this name has this configuration, in any role. */
  public boolean isHeldBy(Guard guard, String namespace, String name, ConfigHash hash) {
    var object = find(guard, IndexedObject.key(namespace, name));
    return object != null && object.hash().equals(hash);
  }

  /**
   * Whether this is the last configuration that the object was provisioned with, and that has not
   * failed since. Lost on a restart; by then the backup record exists and is listed.
   */
  public boolean isLastKnownGood(Guard guard, String namespace, String name, ConfigHash hash) {
    return hash.equals(table(guard).lastKnownGood.get(IndexedObject.key(namespace, name)));
  }

  /** Returns the entry of an object; null if there is none. */
  public @Nullable IndexedObject find(Guard guard, String key) {
    return table(guard).byKey.get(key);
  }

  public Set<String> keys(Guard guard) {
    return table(guard).byKey.keySet();
  }

  /** The number of configurations that a guard's objects make known invalid, or suspected. */
  public long count(Guard guard, boolean suspected) {
    return table(guard).byKey.values().stream()
        .filter(seen -> isSuspected(guard, seen) == suspected && counts(guard, seen))
        .map(IndexedObject::hash)
        .distinct()
        .count();
  }

  /**
   * The number of a guard's objects in use whose configuration would be refused if it were written
   * now.
   */
  public long countHolders(Guard guard) {
    return table(guard).byKey.values().stream()
        .filter(seen -> seen.role() instanceof Role.Current)
        .filter(
            seen ->
                (seen.invalid() && counts(guard, seen))
                    || evidence(
                            guard, seen.namespace(), seen.name(), seen.role().node(), seen.hash())
                        .stream()
                        .anyMatch(each -> !each.onlyWarns() && !each.holdsSecrets()))
        .count();
  }

  /** The number of a guard's objects whose hash annotation differs from their hash. */
  public long countStampedOtherwise(Guard guard) {
    return table(guard).byKey.values().stream().filter(IndexedObject::stampedOtherwise).count();
  }

  /** The number of a guard's KnownInvalidConfigurations with this verdict. */
  public long count(Guard guard, Verdict verdict) {
    return stored()
        .filter(known -> known.key().guard().equals(guard.name()) && known.verdict() == verdict)
        .count();
  }

  /** The stored KnownInvalidConfigurations. */
  public Stream<KnownInvalidConfiguration> stored() {
    return stored.values().stream();
  }

  private @Nullable KnownInvalidConfiguration current(ConfigurationKey key) {
    // Read in this order: an observation moves from unwritten to stored.
    var waiting = unwritten.getOrDefault(key, List.of());
    return after(stored.get(key), waiting);
  }

  private static @Nullable KnownInvalidConfiguration after(
      @Nullable KnownInvalidConfiguration before, List<Observation> observations) {
    var known = before;
    for (var observation : observations) {
      known = observation.after(known);
    }
    return known;
  }

  private static ConfigurationKey key(Guard guard, IndexedObject seen) {
    return new ConfigurationKey(guard.name(), seen.namespace(), seen.hash());
  }

  private Observation failed(
      Guard guard, IndexedObject seen, String uid, @Nullable String content) {
    var details = seen.details();
    var why = details.why().isEmpty() ? String.valueOf(guard.signs().invalidWhen()) : details.why();
    var told = details.node().substring(0, Math.min(details.node().length(), LONGEST_NAME));
    return new Observation.Failed(
        key(guard, seen),
        new Source(guard.resource().kind(), seen.name(), uid),
        // The name of such an object, for example a revision, is not a node; its status may name
        // one.
        guard.namesNodes() ? seen.role().node() : told,
        new Failure(Instant.ofEpochSecond(seen.at()), why, details.recordedBy()),
        Instant.ofEpochSecond(seen.earliest()),
        seen.suspected(),
        seen.holdsSecrets(),
        rewrite,
        content);
  }

  private static Observation worked(Guard guard, IndexedObject seen) {
    return new Observation.Worked(
        key(guard, seen),
        guard.namesNodes() ? seen.role().node() : KnownInvalidConfiguration.ANYWHERE,
        Instant.ofEpochSecond(seen.at()));
  }

  /** Keeps only the last failure and the last success of each node. */
  private void observe(Observation observation) {
    var key = observation.key();
    var before = current(key);
    var after = observation.after(before);
    if (after == null || after.equals(before)) {
      return;
    }
    if (unwritten.size() >= MOST_UNWRITTEN && !unwritten.containsKey(key)) {
      if (!isFull) {
        logger.warn(
            "known invalid: {} configurations wait to be written, so {} and further ones are not"
                + " stored",
            unwritten.size(),
            key);
      }
      isFull = true;
      return;
    }
    isFull = false;
    unwritten.merge(
        key,
        List.of(observation),
        (waiting, more) ->
            Stream.concat(
                    waiting.stream().filter(each -> !observation.replaces(each)), more.stream())
                .toList());
  }
}
