package dev.shipshape.webhook;

import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.Guards;
import dev.shipshape.webhook.index.IndexFeed;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.LastKnownGood;
import dev.shipshape.webhook.index.Listener;
import dev.shipshape.webhook.index.NodeWatch;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.RolloutWatch;
import dev.shipshape.webhook.index.SupervisedInformer;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.validation.KnownInvalidLookup;
import dev.shipshape.webhook.validation.RollbackExemptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The watches by which the webhook knows the cluster, and what they feed. */
final class Informers implements AutoCloseable {
  private final WebhookSettings settings;
  private final KubernetesClient client;
  private final KnownInvalidStore store;
  private final @Nullable NodeWatch nodes;
  private final Revisions revisions;
  private final LastKnownGood worked;
  private final KnownInvalidLookup known;
  private final List<IndexFeed> feeds = new ArrayList<>();
  private final List<GuardIndex> indexes = new ArrayList<>();
  private final Map<String, RolloutWatch> rollouts = new HashMap<>();

  private Informers(WebhookSettings settings, KubernetesClient client, KnownInvalidStore store) {
    this.settings = settings;
    this.client = client;
    this.store = store;
    var guards = settings.guards();
    var watched =
        guards.stream().anyMatch(guard -> guard.revisions() != null)
            ? NodeWatch.start(client, settings.staleness())
            : null;
    this.nodes = watched;
    this.revisions =
        new Revisions(
            guards, name -> watched == null ? Optional.empty() : watched.readySince(name));
    this.worked = new LastKnownGood(guards);
    this.known = new KnownInvalidLookup(settings.scope(), store);
  }

  /**
   * Begins to watch; returns at once.
   *
   * @param store learns from what is seen; whoever gives it starts and closes it
   */
  static Informers start(
      WebhookSettings settings,
      KubernetesClient client,
      KnownInvalidStore store,
      MeterRegistry registry) {
    var informers = new Informers(settings, client, store);
    settings.guards().forEach(guard -> informers.start(guard, registry));
    return informers;
  }

  private void start(Guard guard, MeterRegistry registry) {
    if (guard.stampsOnly() && guard.revisions() == null) {
      indexes.add(GuardIndex.ofNothing(guard));
      return;
    }
    List<Listener> onlookers =
        guard.stampsOnly() ? List.of(revisions) : List.of(store, revisions, worked);
    var feed = IndexFeed.start(guard, client, settings.staleness(), revisions, onlookers);
    feeds.add(feed);
    IndexGauges.register(registry, feed, known);
    if (guard.stampsOnly()) {
      indexes.add(GuardIndex.ofNothing(guard));
      return;
    }
    indexes.add(new WithStore(feed, store));
    var rollout = guard.rollout();
    if (rollout != null && !rollout.serviceAccount().isEmpty()) {
      rollouts.put(guard.name(), RolloutWatch.start(rollout, client, settings.staleness()));
    }
  }

  /** An index that decides nothing while the store is not known. */
  private record WithStore(IndexFeed feed, KnownInvalidStore store) implements GuardIndex {
    @Override
    public Guard guard() {
      return feed.guard();
    }

    @Override
    public KnownInvalidIndex index() {
      return feed.index();
    }

    @Override
    public Optional<String> unavailableReason() {
      return feed.unavailableReason().or(store::unavailableReason);
    }

    @Override
    public Duration staleness() {
      var feeds = feed.staleness();
      var stores =
          store
              .following()
              .filter(SupervisedInformer::served)
              .map(SupervisedInformer::staleness)
              .orElse(Duration.ZERO);
      return feeds.compareTo(stores) > 0 ? feeds : stores;
    }
  }

  Guards guards() {
    return new Guards(indexes);
  }

  KnownInvalidLookup knownInvalid() {
    return known;
  }

  RollbackExemptions restorations() {
    return new RollbackExemptions(worked, rollouts);
  }

  /** To be called often. */
  void refresh() {
    needed().forEach(SupervisedInformer::refresh);
    if (nodes != null) {
      nodes.refresh();
    }
    revisions.refresh();
    rollouts.values().forEach(rollout -> rollout.following().refresh());
  }

  /** Why the program should get no requests; empty where it can decide. */
  Optional<String> notReadyReason() {
    return needed().flatMap(watch -> watch.notReadyReason().stream()).findFirst();
  }

  private Stream<SupervisedInformer> needed() {
    return Stream.concat(feeds.stream().map(IndexFeed::following), store.following().stream());
  }

  @Override
  public void close() {
    if (nodes != null) {
      nodes.close();
    }
    feeds.forEach(IndexFeed::close);
    rollouts.values().forEach(RolloutWatch::close);
  }
}
