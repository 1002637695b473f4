package dev.shipshape.webhook;

import dev.shipshape.service.Leadership;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.Rollout;
import dev.shipshape.webhook.index.Following;
import dev.shipshape.webhook.index.GuardIndex;
import dev.shipshape.webhook.index.IndexFeed;
import dev.shipshape.webhook.index.KnownInvalidIndex;
import dev.shipshape.webhook.index.Onlooker;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.RolloutWatch;
import dev.shipshape.webhook.index.WorkedLedger;
import dev.shipshape.webhook.memory.MemoryService;
import dev.shipshape.webhook.timeout.NodeWatch;
import dev.shipshape.webhook.timeout.Timeouts;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All that the webhook knows of the cluster, and the watches that keep it so. */
final class Watches implements AutoCloseable {
  private final WebhookSettings settings;
  private final KubernetesClient client;
  private final MemoryService memory;
  private final @Nullable NodeWatch nodes;
  private final Revisions revisions;
  private final WorkedLedger worked;
  private final Timeouts timeouts;
  private final KnownInvalid known;
  private final List<IndexFeed> feeds = new ArrayList<>();
  private final List<GuardIndex> indexes = new ArrayList<>();
  private final Map<String, RolloutWatch> rollouts = new HashMap<>();
  private final List<Following> needed = new ArrayList<>();
  private @Nullable Leadership ownLeadership;
  private volatile BooleanSupplier leads = () -> false;

  private Watches(
      WebhookSettings settings,
      KubernetesClient client,
      MeterRegistry registry,
      InstantSource apiServerTime) {
    this.settings = settings;
    this.client = client;
    var limits = settings.timeouts();
    var guards = settings.guards();
    var watched =
        limits.isOn() || guards.stream().anyMatch(guard -> guard.revisions() != null)
            ? NodeWatch.start(client, settings.staleness())
            : null;
    this.nodes = watched;
    this.timeouts =
        limits.isOn() && watched != null
            ? Timeouts.of(guards, limits.limits(), watched, apiServerTime)
            : Timeouts.none();
    this.revisions =
        new Revisions(
            guards, name -> watched == null ? Optional.empty() : watched.readySince(name));
    this.memory =
        new MemoryService(
            settings.memory().limits(), () -> leads.getAsBoolean(), apiServerTime, registry);
    this.worked = new WorkedLedger(guards);
    this.known =
        new KnownInvalid(settings.scope(), memory.memory(), timeouts, settings.timeouts().mode());
  }

  /**
   * Begins to watch; returns at once.
   *
   * @param elected whether this replica leads, where somebody has it elected already; null to have
   *     it elected here, if anything needs that
   * @param apiServerTime by which it is told how long something takes, and how old it is
   */
  static Watches start(
      WebhookSettings settings,
      KubernetesClient client,
      @Nullable BooleanSupplier elected,
      MeterRegistry registry,
      InstantSource apiServerTime) {
    var watches = new Watches(settings, client, registry, apiServerTime);
    if (elected != null) {
      watches.leads = elected;
    }
    if (settings.memory().enabled()) {
      watches.startMemory(elected == null);
    }
    settings.guards().forEach(guard -> watches.start(guard, registry));
    return watches;
  }

  private void startMemory(boolean elect) {
    var named = settings.memory().namespace();
    var own = client.getNamespace();
    var namespace = named != null ? named : own != null ? own : "default";
    if (elect) {
      var leadership = new Leadership(client, namespace, WebhookServer.MEMORY_LEASE);
      leadership.stand();
      ownLeadership = leadership;
      leads = leadership::isLeader;
    }
    needed.add(memory.start(client, namespace, settings.staleness()));
  }

  private void start(Guard guard, MeterRegistry registry) {
    if (guard.stampsOnly() && guard.revisions() == null) {
      indexes.add(GuardIndex.ofNothing(guard));
      return;
    }
    var feed =
        IndexFeed.start(
            guard,
            client,
            settings.staleness(),
            revisions,
            found -> known.isOfRefusal(guard, found),
            guard.stampsOnly() ? List.of(revisions) : onlookers());
    feeds.add(feed);
    needed.add(feed.following());
    IndexGauges.register(registry, feed, known, timeouts);
    if (guard.stampsOnly()) {
      indexes.add(GuardIndex.ofNothing(guard));
      return;
    }
    indexes.add(
        settings.memory().enabled() ? new WithMemory(feed, memory, needed.getFirst()) : feed);
    var rollout = guard.rollout();
    if (rollout != null && !rollout.serviceAccount().isEmpty()) {
      start(guard.name(), rollout);
    }
  }

  private void start(String guard, Rollout rollout) {
    rollouts.put(guard, RolloutWatch.start(rollout, client, settings.staleness()));
  }

  private List<Onlooker> onlookers() {
    var onlookers = new ArrayList<Onlooker>(List.of(revisions, worked, timeouts));
    if (settings.memory().enabled()) {
      onlookers.addFirst(memory.memory());
    }
    return onlookers;
  }

  /** An index that decides nothing while it is not known what is remembered. */
  private record WithMemory(IndexFeed feed, MemoryService memory, Following watch)
      implements GuardIndex {
    @Override
    public Guard guard() {
      return feed.guard();
    }

    @Override
    public KnownInvalidIndex index() {
      return feed.index();
    }

    @Override
    public Optional<String> unusable() {
      return feed.unusable().or(memory::unusable);
    }

    @Override
    public Duration staleness() {
      var feeds = feed.staleness();
      var memorys = watch.staleness();
      return feeds.compareTo(memorys) > 0 ? feeds : memorys;
    }
  }

  Guards guards() {
    return new Guards(indexes);
  }

  KnownInvalid knownInvalid() {
    return known;
  }

  Restorations restorations() {
    return new Restorations(guards(), revisions, worked, rollouts);
  }

  /** To be called often. */
  void look() {
    needed.forEach(Following::look);
    feeds.forEach(IndexFeed::look);
    if (nodes != null) {
      nodes.look();
    }
    revisions.look();
    timeouts.look();
    rollouts.values().forEach(rollout -> rollout.following().look());
  }

  /** Why the program should get no requests; empty where it can decide. */
  Optional<String> missing() {
    return memory
        .missing()
        .or(() -> needed.stream().flatMap(watch -> watch.missing().stream()).findFirst());
  }

  @Override
  public void close() {
    memory.close();
    if (nodes != null) {
      nodes.close();
    }
    if (ownLeadership != null) {
      ownLeadership.close();
    }
    feeds.forEach(IndexFeed::close);
    rollouts.values().forEach(RolloutWatch::close);
  }
}
