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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  /** Limits the heap while KnownInvalidConfigurations cannot be written, or not fast enough. */
  public static final int MAX_UNWRITTEN = 1000;

  private static final int MAX_CONTENTS = 200;

  private static final int MAX_NAME_LENGTH = 253;

  /** How far the time of a status may be from that of its write, in seconds. */
  public static final int MAX_SHIFT = 5;

  /**
   * A pending write of one KnownInvalidConfiguration.
   *
   * @param before the stored state; null if it is not stored
   * @param after the state to store; null if there is nothing to store
   * @param observations the observations that lead from {@code before} to {@code after}
   */
  public record PendingWrite(
      ConfigurationKey key,
      @Nullable KnownInvalidConfiguration before,
      @Nullable KnownInvalidConfiguration after,
      List<Observation> observations) {}

  private final Map<String, ObjectTable> tables;
  private final Scope scope;
  private final Duration rewriteInterval;
  private final Map<ConfigurationKey, KnownInvalidConfiguration> stored = new ConcurrentHashMap<>();
  private final Map<ConfigurationKey, PendingWrite> unwritten = new ConcurrentHashMap<>();
  private final Map<ConfigurationKey, Attempts> pendingAttempts = new ConcurrentHashMap<>();

  /** Configurations with failures that were added since {@code observeSuccesses} last ran. */
  private final Set<ConfigurationKey> newFailures = new HashSet<>();

  /** A repeated failure is stored again only after the rewrite interval. */
  public KnownInvalid(Collection<Guard> guards, Scope scope, Duration rewriteInterval) {
    tables =
        guards.stream()
            .map(ObjectTable::new)
            .collect(
                Collectors.toUnmodifiableMap(table -> table.guard.name(), Function.identity()));
    this.scope = scope;
    this.rewriteInterval = rewriteInterval;
  }

  /** Whether there is such a guard. Other releases and removed guards have others. */
  public boolean hasGuard(String name) {
    return tables.containsKey(name);
  }

  private ObjectTable table(Guard guard) {
    return Objects.requireNonNull(tables.get(guard.name()), guard::name);
  }

  /**
   * Adds or updates an object. Its outcome is stored in a KnownInvalidConfiguration that outlives
   * the object. A record is stored if the node's object had its configuration, because replicas
   * restart; other records may come from refusals or from errors of the API server.
   *
   * @param content the normalised configuration, JSON; null if it is too large or not to be stored
   */
  public synchronized void put(Guard guard, IndexedObject indexed, @Nullable String content) {
    var table = table(guard);
    var isOutdated =
        isFirstSeenInvalid(indexed)
            && stored().anyMatch(known -> isAboutOther(guard, known, indexed));
    var object = isOutdated ? indexed.withOutdatedStatus() : indexed;
    table.put(object);
    if (guard.stampOnly()) {
      return;
    }
    if (object.hasCurrentStatus(ConfigStatus.PROVISIONED)) {
      table.lastKnownGood.put(object.key(), object.hash());
      observeSuccess(table, object);
    } else if (object.hasCurrentStatus(ConfigStatus.INVALID)
        || object.isSuspected()
        || isFailureOf(table, object)) {
      table.lastKnownGood.remove(object.key(), object.hash());
      var failure = failure(guard, object, content);
      // Limit the heap: many pending writes must not all hold a content, nor one hold it twice.
      var isHeld =
          observations(failure.key()).stream()
              .anyMatch(each -> each.holdsContent() && !failure.replaces(each));
      observe(isHeld || unwritten.size() >= MAX_CONTENTS ? failure(guard, object, null) : failure);
      newFailures.add(key(guard, object));
    }
  }

  /**
   * Observes a success. If more nodes failed than fit, another failure takes the place of the one
   * that ends, so that the configuration is not cleared.
   */
  private void observeSuccess(ObjectTable table, IndexedObject object) {
    if (object.hasStaleHash()) {
      // It may be the success of what it was before its definition lost a field.
      return;
    }
    var before = current(key(table.guard, object));
    observe(success(table.guard, object, before));
    if (before != null && before.failures().size() >= KnownInvalidConfiguration.MAX_NODES) {
      table.invalid(object.hash()).stream()
          .filter(seen -> seen.hasCurrentStatus(ConfigStatus.INVALID) || isFailureOf(table, seen))
          .filter(seen -> key(table.guard, seen).equals(before.key()))
          .filter(seen -> !before.failures().containsKey(seen.role().node()))
          .findFirst()
          .ifPresent(seen -> observe(failure(table.guard, seen, null)));
    }
  }

  /** Whether this records a failed rollout. A node that is cut off cannot report itself. */
  private boolean isFailureOf(ObjectTable table, IndexedObject record) {
    return record.isInvalidRecord()
        && table.isConfirmed(record)
        && !isRecordOfRefusal(table.guard, record, current(key(table.guard, record)));
  }

  /** Makes a record count without proof, because the user confirms it. */
  public synchronized void confirm(Guard guard, String key) {
    var table = table(guard);
    var record = table.byKey.get(key);
    if (record != null && record.isInvalidRecord()) {
      table.confirmed.put(key, record.hash());
    }
  }

  /** Removes an object. Its KnownInvalidConfiguration stays. */
  public synchronized void remove(Guard guard, String key) {
    table(guard).remove(key);
  }

  /** Adds or updates a KnownInvalidConfiguration. */
  public synchronized void put(KnownInvalidConfiguration known) {
    var before = stored.put(known.key(), known);
    var table = tables.get(known.key().guard());
    if (table != null) {
      var names =
          table.guard.namesNodes() ? known.failures().keySet() : Set.of(known.source().name());
      names.stream()
          .map(name -> IndexedObject.key(known.key().namespace(), name))
          .flatMap(key -> Stream.ofNullable(table.byKey.get(key)))
          .filter(seen -> isFirstSeenInvalid(seen) && isAboutOther(table.guard, known, seen))
          .forEach(seen -> outdate(table, seen));
    }
    if (before == null || !before.failures().keySet().equals(known.failures().keySet())) {
      newFailures.add(known.key());
    }
  }

  private static boolean isFirstSeenInvalid(IndexedObject seen) {
    return seen.hasCurrentStatus(ConfigStatus.INVALID)
        && seen.earliestWrittenAt() < seen.writtenAt();
  }

  /**
   * Whether the status that an object was first seen with is stored as the failure of another
   * configuration: after a field was removed, no managed field has the time of that change.
   */
  private static boolean isAboutOther(
      Guard guard, KnownInvalidConfiguration known, IndexedObject seen) {
    if (!known.key().guard().equals(guard.name())
        || !known.key().namespace().equals(seen.namespace())
        || known.key().hash().equals(seen.hash())) {
      return false;
    }
    if (guard.namesNodes()) {
      var failure = known.failures().get(seen.role().node());
      return failure != null && failure.failedAt().getEpochSecond() >= seen.writtenAt();
    }
    // A later failure is of another object; that of its own may be dated a little later.
    return known.source().name().equals(seen.name())
        && known.failures().values().stream()
            .map(failure -> failure.failedAt().getEpochSecond() - seen.writtenAt())
            .anyMatch(later -> later >= 0 && later <= MAX_SHIFT);
  }

  private void outdate(ObjectTable table, IndexedObject seen) {
    table.put(seen.withOutdatedStatus());
    removeUnwritten(key(table.guard, seen), waiting -> waiting.isFailureOf(seen.name()));
  }

  public synchronized void remove(KnownInvalidConfiguration known) {
    stored.remove(known.key());
    pendingAttempts.remove(known.key());
  }

  /** Counts a refused or warned write. Ignored without a KnownInvalidConfiguration. */
  public void addAttempts(Guard guard, String namespace, ConfigHash hash, Attempts attempt) {
    find(guard, namespace, hash).findFirst().ifPresent(known -> addAttempts(known.key(), attempt));
  }

  /** Adds to the attempts that are not stored yet. */
  public void addAttempts(ConfigurationKey key, Attempts attempts) {
    pendingAttempts.merge(key, attempts, Attempts::plus);
  }

  /** The configurations with attempts that are not stored yet. */
  public Set<ConfigurationKey> pendingAttempts() {
    // Deleted, or never stored.
    pendingAttempts.keySet().removeIf(key -> current(key) == null);
    return Set.copyOf(pendingAttempts.keySet());
  }

  /** Removes and returns the attempts that are not stored yet. */
  public Attempts takePendingAttempts(ConfigurationKey key) {
    return Objects.requireNonNullElse(pendingAttempts.remove(key), Attempts.NONE);
  }

  /** Returns the stored state; null if there is none. */
  public @Nullable KnownInvalidConfiguration stored(ConfigurationKey key) {
    return stored.get(key);
  }

  /** Returns the evidence, without the written object's own; what only warns comes last. */
  public List<Evidence> evidence(
      Guard guard, String namespace, String name, String node, ConfigHash hash) {
    if (guard.isProbe(hash)) {
      return List.of(Evidence.PROBE);
    }
    var itself = IndexedObject.key(namespace, name);
    var objects =
        table(guard).invalid(hash).stream()
            .filter(seen -> !seen.key().equals(itself))
            .filter(seen -> guard.reaches(seen.namespace(), namespace) && isEvidence(guard, seen))
            .toList();
    var current = objects.stream().map(seen -> Evidence.of(guard, seen, isSuspected(guard, seen)));
    var fromStore =
        find(guard, namespace, hash)
            .filter(known -> objects.stream().noneMatch(seen -> covers(guard, known, seen)))
            .map(Evidence::of);
    return Stream.concat(current, fromStore)
        .filter(finding -> !scope.isPerNode(guard) || finding.isAbout(node))
        .sorted(Comparator.comparing(Evidence::onlyWarns))
        .toList();
  }

  /** Whether a KnownInvalidConfiguration says no more than the object that it was learned from. */
  private boolean covers(Guard guard, KnownInvalidConfiguration known, IndexedObject seen) {
    return seen.name().equals(known.source().name())
        && seen.namespace().equals(known.key().namespace())
        && isSuspected(guard, seen) == (known.verdict() == Verdict.SUSPECTED)
        && (known.holdsSecrets() || !seen.holdsSecrets())
        && (!scope.isPerNode(guard) || (known.nodes().size() <= 1 && !known.isDeclared()));
  }

  public synchronized List<PendingWrite> unwritten() {
    observeSuccesses();
    return unwritten.keySet().stream()
        .map(key -> new PendingWrite(key, stored.get(key), current(key), observations(key)))
        .toList();
  }

  /** Whether so many wait that failures of others are forgotten with their objects. */
  public boolean isFull() {
    return unwritten.size() >= MAX_UNWRITTEN;
  }

  /** Observes successes that were seen before the failure was known. */
  private void observeSuccesses() {
    if (!newFailures.isEmpty()) {
      for (var table : tables.values()) {
        table.byKey.values().stream()
            .filter(
                seen ->
                    seen.hasCurrentStatus(ConfigStatus.PROVISIONED)
                        && newFailures.contains(key(table.guard, seen)))
            .forEach(seen -> observeSuccess(table, seen));
      }
      newFailures.clear();
    }
  }

  /** Removes the observations of a write that is done or not needed. */
  public synchronized void removeWritten(PendingWrite done) {
    removeUnwritten(done.key(), done.observations()::contains);
  }

  private void removeUnwritten(ConfigurationKey key, Predicate<Observation> filter) {
    unwritten.computeIfPresent(
        key,
        (_, waiting) -> {
          var left = waiting.observations().stream().filter(filter.negate()).toList();
          return left.isEmpty() ? null : pendingWrite(key, left);
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
    stored.compute(key, (_, current) -> Objects.equals(current, before) ? now : current);
  }

  private Stream<KnownInvalidConfiguration> find(Guard guard, String namespace, ConfigHash hash) {
    var keys =
        guard.acrossNamespaces()
            ? Stream.concat(List.copyOf(unwritten.keySet()).stream(), stored.keySet().stream())
                .filter(key -> key.guard().equals(guard.name()) && key.hash().equals(hash))
                .distinct()
            : Stream.of(new ConfigurationKey(guard.name(), namespace, hash));
    return keys.flatMap(key -> Stream.ofNullable(current(key)))
        .filter(known -> known.isEffective() && !isOfDeletedRecord(table(guard), known));
  }

  /** Whether only a record led to it, and the record is deleted: this is how users revoke it. */
  private static boolean isOfDeletedRecord(ObjectTable table, KnownInvalidConfiguration known) {
    var records = table.guard.records();
    if (records == null || known.isDeclared() || known.nodes().size() != 1) {
      return false;
    }
    var record = records.invalidOf(known.nodes().getFirst());
    var seen = table.byKey.get(IndexedObject.key(known.key().namespace(), record));
    return known.source().name().equals(record)
        && (seen == null || !seen.hash().equals(known.key().hash()));
  }

  /** Operators write a record after any error: the node may never have had its content. */
  boolean isSuspected(Guard guard, IndexedObject object) {
    return object.isSuspected() || (object.isInvalidRecord() && !isProven(guard, object));
  }

  /** Whether the node's object had its configuration, or its failure is known otherwise. */
  private boolean isProven(Guard guard, IndexedObject record) {
    var known = current(key(guard, record));
    return table(guard).isConfirmed(record)
        || (known != null
            && known.verdict() == Verdict.INVALID
            && known.failures().containsKey(record.role().node()));
  }

  /** Whether an object makes its configuration known invalid or suspected. */
  private boolean isEvidence(Guard guard, IndexedObject object) {
    if (guard.stampOnly() || !object.isInvalidOrSuspected()) {
      return false;
    }
    var known = current(key(guard, object));
    var isCleared =
        known != null
            && known.isClearedByHand()
            && object.earliestWrittenAt() <= known.clearedAt().getEpochSecond();
    return !isCleared && !isRecordOfRefusal(guard, object, known);
  }

  /**
   * Whether an operator wrote this record because its write was refused: the configuration was
   * known invalid before, and no failure on this node is known. It proves nothing about its node.
   */
  private boolean isRecordOfRefusal(
      Guard guard, IndexedObject object, @Nullable KnownInvalidConfiguration known) {
    var at = Instant.ofEpochSecond(object.writtenAt());
    return known != null
        && object.isInvalidRecord()
        && !scope.isPerNode(guard)
        && !at.isBefore(known.since())
        && (known.verdict() == Verdict.CLEARED
            ? !at.isAfter(known.clearedAt())
            : !isOfDeletedRecord(table(guard), known)
                && !known.failures().containsKey(object.role().node()));
  }

  /** Whether this configuration is the node's backup, by a record. */
  public boolean isBackup(
      Guard guard, String namespace, String name, String node, ConfigHash hash) {
    var object = find(guard, IndexedObject.key(namespace, name));
    return object != null
        && object.hash().equals(hash)
        && object.role().equals(new Role.Backup(node));
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

  public long countInvalid(Guard guard) {
    return table(guard).byKey.values().stream()
        .filter(seen -> !isSuspected(guard, seen) && isEvidence(guard, seen))
        .map(IndexedObject::hash)
        .distinct()
        .count();
  }

  public boolean isEmpty() {
    return stored().noneMatch(KnownInvalidConfiguration::isEffective)
        && unwritten.values().stream()
            .allMatch(each -> each.after() == null || !each.after().isEffective())
        && tables.values().stream()
            .allMatch(
                table ->
                    table.byKey.values().stream().noneMatch(seen -> isEvidence(table.guard, seen)));
  }

  /** The number of a guard's objects in use that would be refused if written now. */
  public long countHolders(Guard guard) {
    return table(guard).byKey.values().stream()
        .filter(seen -> seen.role() instanceof Role.Current)
        .filter(
            seen ->
                (seen.isInvalid() && isEvidence(guard, seen))
                    || evidence(
                            guard, seen.namespace(), seen.name(), seen.role().node(), seen.hash())
                        .stream()
                        .anyMatch(each -> !each.onlyWarns() && !each.holdsSecrets()))
        .count();
  }

  /** The number of a guard's objects whose hash annotation differs from their hash. */
  public long countStaleHashes(Guard guard) {
    return table(guard).byKey.values().stream().filter(IndexedObject::hasStaleHash).count();
  }

  public long count(Guard guard, Verdict verdict) {
    return stored()
        .filter(known -> known.key().guard().equals(guard.name()) && known.verdict() == verdict)
        .count();
  }

  public Stream<KnownInvalidConfiguration> stored() {
    return stored.values().stream();
  }

  private @Nullable KnownInvalidConfiguration current(ConfigurationKey key) {
    // Read in this order: an observation moves from unwritten to stored.
    var waiting = unwritten.get(key);
    var before = stored.get(key);
    if (waiting == null) {
      return before;
    }
    return Objects.equals(before, waiting.before())
        ? waiting.after()
        : after(before, waiting.observations());
  }

  private List<Observation> observations(ConfigurationKey key) {
    var waiting = unwritten.get(key);
    return waiting == null ? List.of() : waiting.observations();
  }

  private PendingWrite pendingWrite(ConfigurationKey key, List<Observation> observations) {
    var before = stored.get(key);
    return new PendingWrite(key, before, after(before, observations), observations);
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

  private Observation failure(Guard guard, IndexedObject seen, @Nullable String content) {
    var details = seen.details();
    var error = Evidence.reason(guard, seen);
    var reason =
        error.isEmpty()
            ? "the record %s says so; it counts while that exists".formatted(seen.name())
            : error;
    var node = details.node().substring(0, Math.min(details.node().length(), MAX_NAME_LENGTH));
    return new Observation.Failed(
        key(guard, seen),
        new Source(guard.resource().kind(), seen.name(), seen.uid()),
        // Such names, for example of revisions, are no nodes; the status may name one.
        guard.namesNodes() ? seen.role().node() : node,
        new Failure(Instant.ofEpochSecond(seen.writtenAt()), reason, details.writer()),
        Instant.ofEpochSecond(seen.earliestWrittenAt()),
        seen.isSuspected(),
        seen.holdsSecrets(),
        rewriteInterval,
        guard.records() == null ? null : guard.records().invalidOf(seen.role().node()),
        content);
  }

  /**
   * Without nodes, the success of another object than the one that failed is as old as it may be: a
   * later write of its status may have changed other fields only.
   */
  private static Observation success(
      Guard guard, IndexedObject seen, @Nullable KnownInvalidConfiguration before) {
    var isOfAnother =
        !guard.namesNodes() && before != null && !before.source().name().equals(seen.name());
    return new Observation.Worked(
        key(guard, seen),
        guard.namesNodes() ? seen.role().node() : KnownInvalidConfiguration.ANYWHERE,
        Instant.ofEpochSecond(isOfAnother ? seen.earliestWrittenAt() : seen.writtenAt()),
        Instant.ofEpochSecond(seen.earliestWrittenAt()));
  }

  /** Keeps only the last failure and the last success of each node. */
  private void observe(Observation observation) {
    var key = observation.key();
    var before = current(key);
    var after = observation.after(before);
    if (after == null || after.equals(before)) {
      return;
    }
    // A success is about a stored one, and it would stay refused.
    if (observation instanceof Observation.Failed && isFull() && !unwritten.containsKey(key)) {
      return;
    }
    var others = observations(key).stream().filter(each -> !observation.replaces(each));
    unwritten.put(key, pendingWrite(key, Stream.concat(others, Stream.of(observation)).toList()));
  }
}
