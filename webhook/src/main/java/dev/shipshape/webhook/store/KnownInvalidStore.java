package dev.shipshape.webhook.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.StalenessLimits;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.index.IndexedObject;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Listener;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.index.SupervisedInformer;
import dev.shipshape.webhook.index.WireObject;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Source;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known invalid beyond the objects that say so now: the KnownInvalidConfigurations of the
 * cluster, and what this replica has seen since and has not written yet. Both count at once.
 *
 * <p>If the CustomResourceDefinition is not installed, nothing outlives the objects that say so.
 */
public final class KnownInvalidStore implements Listener, AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KnownInvalidStore.class);

  private static final int LONGEST_NAME = 253;

  /** What cannot be written must not fill the heap. */
  private static final int MOST_UNWRITTEN = 1000;

  private static final int MOST_CONTENTS = 200;

  /** What waits to be written of one configuration. */
  record Unwritten(
      @Nullable KnownInvalidConfiguration before,
      @Nullable KnownInvalidConfiguration after,
      List<Observation> observations) {}

  private record Watched(Guard guard, KnownInvalidIndex index) {}

  private final StoreLimits limits;
  private final ConcurrentHashMap<ConfigurationKey, KnownInvalidConfiguration> stored =
      new ConcurrentHashMap<>();
  private final Map<ConfigurationKey, List<Observation>> unwritten = new ConcurrentHashMap<>();
  private final Map<String, Watched> watched = new ConcurrentHashMap<>();
  private volatile @Nullable SupervisedInformer following;
  private volatile @Nullable KnownInvalidWriter writer;

  /** Knows nothing, and neither watches nor writes before {@link #start}. */
  public KnownInvalidStore(StoreLimits limits) {
    this.limits = limits;
  }

  /**
   * Begins to watch and to write; returns at once.
   *
   * @param serverTime the API server's clock, by which all times here are; may wait, and throws
   *     IllegalStateException if it does not know
   * @param learned told of each configuration that this replica was the first to write as invalid
   */
  public void start(
      KubernetesClient client,
      StalenessLimits staleness,
      InstantSource serverTime,
      Consumer<KnownInvalidConfiguration> learned) {
    following =
        SupervisedInformer.start(
            KnownInvalidClient.RESOURCE, client, KnownInvalidClient.PATH, staleness, new Sink());
    writer =
        KnownInvalidWriter.start(this, new KnownInvalidClient(client), limits, serverTime, learned);
    wakeWriter();
  }

  /** Takes one as if the API server had it. */
  public void add(KnownInvalidConfiguration known) {
    stored.put(known.key(), known);
  }

  /** The list and watch behind it; empty before {@link #start}. */
  public Optional<SupervisedInformer> following() {
    return Optional.ofNullable(following);
  }

  /** Why nothing can be decided by it; empty if that can be, and without the definition. */
  public Optional<String> unavailableReason() {
    return following()
        .filter(SupervisedInformer::served)
        .flatMap(SupervisedInformer::unavailableReason);
  }

  /** What says in or for this namespace that the configuration is invalid or suspected. */
  public Stream<KnownInvalidConfiguration> find(Guard guard, String namespace, ConfigHash hash) {
    var keys =
        guard.acrossNamespaces()
            ? Stream.concat(stored.keySet().stream(), unwritten.keySet().stream())
                .filter(key -> key.guard().equals(guard.name()) && key.hash().equals(hash))
                .distinct()
            : Stream.of(new ConfigurationKey(guard.name(), namespace, hash));
    return keys.flatMap(key -> Stream.ofNullable(current(key)))
        .filter(KnownInvalidConfiguration::counts);
  }

  /** Since when a person says that this object's configuration does not count; empty otherwise. */
  public Optional<Instant> clearedByHand(Guard guard, IndexedObject object) {
    return Optional.ofNullable(current(key(guard, object)))
        .filter(KnownInvalidConfiguration::isClearedByHand)
        .map(KnownInvalidConfiguration::clearedAt);
  }

  /**
   * Whether this is the record of a configuration that was known invalid before it was recorded,
   * and is not known to have failed there: an operator writes such a record when its write is
   * refused.
   */
  public boolean isOfRefusal(Guard guard, IndexedObject found) {
    var known = found.isInvalidRecord() ? current(key(guard, found)) : null;
    var at = Instant.ofEpochSecond(found.at());
    return known != null
        && !at.isBefore(known.since())
        && (known.verdict() == Verdict.CLEARED
            ? !at.isAfter(known.clearedAt())
            : !known.failures().containsKey(found.role().node()));
  }

  /** How many configurations of a guard have this verdict. */
  public long count(String guard, Verdict verdict) {
    return stored.values().stream()
        .filter(known -> known.key().guard().equals(guard) && known.verdict() == verdict)
        .count();
  }

  /** Whether the API server serves the resource, as far as is known. */
  boolean isServed() {
    return following().filter(SupervisedInformer::served).isPresent();
  }

  /** The configurations that are not written yet. */
  List<ConfigurationKey> unwrittenKeys() {
    return List.copyOf(unwritten.keySet());
  }

  /** How many configurations are not written yet. */
  public int unwritten() {
    return unwritten.size();
  }

  private @Nullable KnownInvalidConfiguration current(ConfigurationKey key) {
    return after(stored.get(key), unwritten.getOrDefault(key, List.of()));
  }

  private static @Nullable KnownInvalidConfiguration after(
      @Nullable KnownInvalidConfiguration before, List<Observation> observations) {
    var known = before;
    for (var observation : observations) {
      known = observation.after(known);
    }
    return known;
  }

  @Override
  public void begins(Guard guard, KnownInvalidIndex index) {
    watched.put(guard.name(), new Watched(guard, index));
  }

  /** Learns from the status alone: records are written for refusals of ours too. */
  @Override
  public void seen(Guard guard, JsonNode object, IndexedObject seen) {
    if (seen.says(ConfigStatus.PROVISIONED)) {
      observe(worked(guard, seen));
    } else if (seen.says(ConfigStatus.INVALID) || seen.suspected()) {
      var uid = object.path("metadata").path("uid").asText();
      observe(failed(guard, seen, uid, content(guard, object)));
    }
  }

  @Override
  public void judged(Guard guard, IndexedObject seen, String uid) {
    if (seen.says(ConfigStatus.PROVISIONED)) {
      observe(worked(guard, seen));
    } else if (seen.says(ConfigStatus.INVALID) || seen.suspected()) {
      observe(failed(guard, seen, uid, null));
    }
  }

  /** An object that is gone leaves what was learned from it. */
  @Override
  public void gone(Guard guard, String key) {}

  /** Of many that wait to be written, or cannot be, the content must not fill the heap. */
  private @Nullable String content(Guard guard, JsonNode object) {
    return unwritten.size() < MOST_CONTENTS
        ? KnownInvalidConfiguration.content(guard, object)
        : null;
  }

  private static ConfigurationKey key(Guard guard, IndexedObject seen) {
    return new ConfigurationKey(guard.name(), seen.namespace(), seen.hash());
  }

  private Observation failed(
      Guard guard, IndexedObject seen, String uid, @Nullable String content) {
    var story = seen.story();
    var why = story.why().isEmpty() ? String.valueOf(guard.signs().invalidWhen()) : story.why();
    return new Observation.Failed(
        key(guard, seen),
        new Source(guard.resource().kind(), seen.name(), uid),
        // An object that is not named after its node, as a revision is not, may tell it or not.
        guard.namesNodes() ? seen.role().node() : shortened(story.node()),
        new Failure(Instant.ofEpochSecond(seen.at()), why, story.recordedBy()),
        Instant.ofEpochSecond(seen.earliest()),
        seen.suspected(),
        seen.holdsSecrets(),
        limits.rewrite(),
        content);
  }

  /** A node's name, which has so many characters at most. */
  private static String shortened(String node) {
    return node.substring(0, Math.min(node.length(), LONGEST_NAME));
  }

  private static Observation worked(Guard guard, IndexedObject seen) {
    return new Observation.Worked(
        key(guard, seen),
        guard.namesNodes() ? seen.role().node() : KnownInvalidConfiguration.ANYWHERE,
        Instant.ofEpochSecond(seen.at()));
  }

  private synchronized void observe(Observation observation) {
    var key = observation.key();
    var before = current(key);
    var after = observation.after(before);
    if (after == null || after.equals(before)) {
      return;
    }
    if (unwritten.size() >= MOST_UNWRITTEN && !unwritten.containsKey(key)) {
      logger.warn(
          "known invalid: {} is dropped: {} others wait to be written", key, unwritten.size());
      return;
    }
    unwritten.merge(
        key,
        List.of(observation),
        (waiting, more) -> Stream.concat(waiting.stream(), more.stream()).toList());
    wakeWriter();
  }

  private void wakeWriter() {
    var writes = writer;
    if (writes != null) {
      writes.wake();
    }
  }

  /** What is to be written next of a configuration. */
  Unwritten next(ConfigurationKey key) {
    var before = stored.get(key);
    var observations = unwritten.getOrDefault(key, List.of());
    return new Unwritten(before, after(before, observations), observations);
  }

  /** These are written, or nothing is left of them to write. */
  synchronized void settled(ConfigurationKey key, List<Observation> done) {
    unwritten.computeIfPresent(
        key,
        (of, waiting) -> {
          var left = waiting.stream().skip(done.size()).toList();
          return left.isEmpty() ? null : left;
        });
  }

  /**
   * This is how the API server answered that it has it; null if it has not. What the watch has
   * shown meanwhile, in place of what was there before, may be newer, and stays.
   */
  void store(
      ConfigurationKey key,
      @Nullable KnownInvalidConfiguration before,
      @Nullable KnownInvalidConfiguration now) {
    stored.compute(key, (of, seen) -> Objects.equals(seen, before) ? now : seen);
  }

  /** All that the API server is known to have. */
  Stream<KnownInvalidConfiguration> stored() {
    return stored.values().stream();
  }

  @Override
  public void close() {
    var writes = writer;
    if (writes != null) {
      writes.close();
    }
    following().ifPresent(SupervisedInformer::close);
  }

  /** What the watch brings. */
  private final class Sink implements Reflector.Sink {
    @Override
    public void put(WireObject object) {
      try {
        var known = KnownInvalidConfiguration.of(object.tree());
        var before = stored.put(known.key(), known);
        if (before == null || before.verdict() != known.verdict()) {
          tell(known);
        }
        if (before == null || !before.failures().keySet().equals(known.failures().keySet())) {
          learnWhatWorked(known);
        }
      } catch (IOException | IllegalArgumentException e) {
        logger.warn(
            "known invalid: cannot read {} {} (uid {}), so it is ignored: {}",
            KnownInvalidClient.RESOURCE,
            object.name(),
            object.uid(),
            e.getMessage());
      }
    }

    /** What is there at the start is told by its number. */
    private void tell(KnownInvalidConfiguration known) {
      if (following().filter(SupervisedInformer::synced).isPresent()) {
        logger.info(
            "known invalid: {} is {}: {}", known.key(), known.verdict(), text(known.reason()));
      }
    }

    /** What works was of no interest when it was seen, if its failure was not known here then. */
    private void learnWhatWorked(KnownInvalidConfiguration known) {
      var of = watched.get(known.key().guard());
      if (of != null) {
        of.index()
            .objects()
            .filter(seen -> seen.says(ConfigStatus.PROVISIONED))
            .filter(seen -> key(of.guard(), seen).equals(known.key()))
            .forEach(seen -> observe(worked(of.guard(), seen)));
      }
    }

    @Override
    public void remove(String name, String uid) {
      stored.values().stream()
          .filter(known -> known.key().objectName().equals(name))
          .filter(known -> uid.isEmpty() || known.isStoredAs(uid))
          .toList()
          .forEach(
              known -> {
                stored.remove(known.key());
                logger.info(
                    "known invalid: {} is no longer stored: the resource was deleted", known.key());
              });
    }

    @Override
    public Stream<String> keys() {
      return stored.keySet().stream().map(ConfigurationKey::objectName);
    }
  }

  /** What others wrote must not make lines of its own in the log. */
  static String text(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
