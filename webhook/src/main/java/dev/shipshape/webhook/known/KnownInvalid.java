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
 * What is known invalid: by the objects that say so now, by KnownInvalidConfigurations, and by what
 * was seen since and is not written yet. All of it counts at once.
 *
 * <p>Feeds put and remove, validation asks, the writer drains. Changes are made one at a time; any
 * thread reads.
 */
public final class KnownInvalid {
  private static final Logger logger = LoggerFactory.getLogger(KnownInvalid.class);

  /** What cannot be written must not fill the heap. */
  private static final int MOST_UNWRITTEN = 1000;

  private static final int MOST_CONTENTS = 200;

  /** Configurations that are kept of what a node's object held and did not work with. */
  private static final int MOST_HELD = 16;

  private static final int LONGEST_NAME = 253;

  /**
   * What waits to be written of one configuration.
   *
   * @param before as it is stored; null if it is not
   * @param after as it is to be stored
   * @param observations what has to be applied for that
   */
  public record Unwritten(
      ConfigurationKey key,
      @Nullable KnownInvalidConfiguration before,
      @Nullable KnownInvalidConfiguration after,
      List<Observation> observations) {}

  /** The objects of one guard by their keys; of those that count, the keys by their hashes. */
  private static final class Table {
    final Guard guard;
    final Map<String, IndexedObject> byKey = new ConcurrentHashMap<>();
    final Map<ConfigHash, Set<String>> invalid = new ConcurrentHashMap<>();
    final Map<String, ConfigHash> lastKnownGood = new ConcurrentHashMap<>();
    final Map<String, List<ConfigHash>> held = new ConcurrentHashMap<>();
    final Map<String, ConfigHash> borneOut = new ConcurrentHashMap<>();

    Table(Guard guard) {
      this.guard = guard;
    }

    /** The new entry comes before the old one goes: what stays invalid is known all the time. */
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

    /** Once, when the record comes: that the same is tried again says nothing about this record. */
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

    /** What the node works with is not held: no record is of its failure. */
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

    /** Whether the node's object had what the record says when the record came. */
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

  /** Whose failures are known since the objects were last looked through for what works. */
  private final Set<ConfigurationKey> news = new HashSet<>();

  /**
   * Knows nothing yet.
   *
   * @param rewrite how much later the same failure must be to be written again
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
   * An object is there, or has changed, or more is known about it. What its status says is learned
   * and outlives it. So is a record of what its node's object has held, as replicas restart; other
   * records are written for refusals and for an API server's errors.
   *
   * @param content the normalised configuration, JSON; null if it is too large, or not to be kept
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
      // Of many that wait to be written, or cannot be, the content must not fill the heap.
      observe(failed(guard, object, uid, unwritten.size() < MOST_CONTENTS ? content : null));
    }
  }

  /** Whether this is the record of a rollout that failed: cut off, a node says nothing itself. */
  private boolean isFailureOf(Table table, IndexedObject record) {
    return record.isInvalidRecord()
        && table.isBorneOut(record)
        && !isOfRefusal(table.guard, record, current(key(table.guard, record)));
  }

  /** An object's failure on one more node than those that it was put for. */
  public synchronized void addFailure(Guard guard, IndexedObject object, String uid) {
    observe(failed(guard, object, uid, null));
  }

  /** A record counts, because somebody says so. */
  public synchronized void bearOut(Guard guard, String key) {
    var table = table(guard);
    var record = table.byKey.get(key);
    if (record != null && record.isInvalidRecord()) {
      table.borneOut.put(key, record.hash());
    }
  }

  /** An object is gone; what was learned from it stays, unless it is a record. */
  public synchronized void remove(Guard guard, String key) {
    table(guard).remove(key);
  }

  /**
   * A KnownInvalidConfiguration is there, or has changed.
   *
   * @return what was there before; null for nothing
   */
  public synchronized @Nullable KnownInvalidConfiguration put(KnownInvalidConfiguration known) {
    var before = stored.put(known.key(), known);
    if (before == null || !before.failures().keySet().equals(known.failures().keySet())) {
      news.add(known.key());
    }
    return before;
  }

  /** A KnownInvalidConfiguration is gone. */
  public synchronized void remove(KnownInvalidConfiguration known) {
    stored.remove(known.key());
    uncounted.remove(known.key());
  }

  /**
   * A write was refused, or would have been. What no KnownInvalidConfiguration is about is not
   * counted.
   */
  public void attempted(Guard guard, String namespace, ConfigHash hash, Attempts attempt) {
    find(guard, namespace, hash).findFirst().ifPresent(known -> attempted(known.key(), attempt));
  }

  /** Writes wait to be counted, as those that could not be. */
  public void attempted(ConfigurationKey key, Attempts attempts) {
    uncounted.merge(key, attempts, Attempts::plus);
  }

  /** Of which configurations writes wait to be counted. */
  public Set<ConfigurationKey> uncounted() {
    return Set.copyOf(uncounted.keySet());
  }

  /** The writes that wait to be counted; they wait no more. */
  public Attempts takeUncounted(ConfigurationKey key) {
    return Objects.requireNonNullElse(uncounted.remove(key), Attempts.NONE);
  }

  /** What is stored of a configuration; null if nothing is. */
  public @Nullable KnownInvalidConfiguration stored(ConfigurationKey key) {
    return stored.get(key);
  }

  /**
   * What says that a configuration is invalid or suspected, without what the object itself says;
   * what only warns comes last.
   *
   * @param name of the object that is written
   * @param node that it is about
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

  /** What waits to be written. */
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

  /** What works was of no interest when it was seen, if its failure was not known here then. */
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

  /** These are written, or nothing is left of them to write. */
  public synchronized void written(Unwritten done) {
    unwritten.computeIfPresent(
        done.key(),
        (key, waiting) -> {
          var left = waiting.stream().filter(each -> !done.observations().contains(each)).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /**
   * The API server answered that it has this now; null if it has none. What the watch has shown
   * meanwhile may be newer, and stays.
   *
   * @param before what was known when it was asked
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

  /** What only a record taught ends with the record, which is how people take it back. */
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
   * Whether nothing supports what an object says. Operators write a record after an error of any
   * kind, so that the node may never have had the configuration.
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
   * Whether this is the record of a configuration that was known invalid before it was recorded,
   * and is not known to have failed there: an operator writes such a record when its write is
   * refused. It says nothing about the node that it is of.
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

  /** Whether a record says that this configuration is the node's one to go back to. */
  public boolean isBackup(
      Guard guard, String namespace, String name, String node, ConfigHash hash) {
    var object = find(guard, IndexedObject.key(namespace, name));
    return object != null
        && object.hash().equals(hash)
        && object.role() instanceof Role.Backup(var owner)
        && owner.equals(node);
  }

  /** Whether the object of this name, whatever it is, has this configuration. */
  public boolean isHeldBy(Guard guard, String namespace, String name, ConfigHash hash) {
    var object = find(guard, IndexedObject.key(namespace, name));
    return object != null && object.hash().equals(hash);
  }

  /**
   * Whether this is what the object worked with when it last worked, unless that failed later. Not
   * kept across restarts: by then the backup that was written meanwhile is listed.
   */
  public boolean isLastKnownGood(Guard guard, String namespace, String name, ConfigHash hash) {
    return hash.equals(table(guard).lastKnownGood.get(IndexedObject.key(namespace, name)));
  }

  /** What is kept of an object; null if it is not there. */
  public @Nullable IndexedObject find(Guard guard, String key) {
    return table(guard).byKey.get(key);
  }

  /** The keys of a guard's objects. */
  public Set<String> keys(Guard guard) {
    return table(guard).byKey.keySet();
  }

  /** How many configurations a guard's objects make known invalid, or suspected. */
  public long count(Guard guard, boolean suspected) {
    return table(guard).byKey.values().stream()
        .filter(seen -> isSuspected(guard, seen) == suspected && counts(guard, seen))
        .map(IndexedObject::hash)
        .distinct()
        .count();
  }

  /** How many of a guard's objects in use hold what would be refused if it were written now. */
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

  /** How many of a guard's objects are annotated with the hash of another content. */
  public long countStampedOtherwise(Guard guard) {
    return table(guard).byKey.values().stream().filter(IndexedObject::stampedOtherwise).count();
  }

  /** How many KnownInvalidConfigurations of a guard have this verdict. */
  public long count(Guard guard, Verdict verdict) {
    return stored()
        .filter(known -> known.key().guard().equals(guard.name()) && known.verdict() == verdict)
        .count();
  }

  /** The KnownInvalidConfigurations that the API server is known to have. */
  public Stream<KnownInvalidConfiguration> stored() {
    return stored.values().stream();
  }

  private @Nullable KnownInvalidConfiguration current(ConfigurationKey key) {
    // In this order: what is written moves from the one to the other.
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
        // An object that is not named after its node, as a revision is not, may tell it or not.
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

  /** Of one configuration the last failure and the last success of each node wait, and no more. */
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
            "known invalid: {} others wait to be written, so {} and what follows is forgotten with"
                + " the objects that say so",
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
