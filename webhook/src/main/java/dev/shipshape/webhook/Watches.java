package dev.shipshape.webhook;

import dev.shipshape.service.PeriodicTask;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.index.ObjectFeed;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.index.Revisions;
import dev.shipshape.webhook.index.WatchedValues;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.store.KnownInvalidStore;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The watches of the webhook. */
final class Watches implements AutoCloseable {
  /** How often verdicts are updated after changes of node readiness and complete lists. */
  private static final Duration REFRESH_INTERVAL = Duration.ofMillis(500);

  private final KnownInvalidStore store;
  private final @Nullable WatchedValues<Instant> readyNodes;

  /** By the name of the guard. */
  private final Map<String, Reflector> objects = new ConcurrentHashMap<>();

  private final Map<String, WatchedValues<Boolean>> rollouts = new ConcurrentHashMap<>();
  private final PeriodicTask refreshing;

  /** Starts to watch and returns. The store is closed by the caller. */
  Watches(
      WebhookSettings settings,
      KubernetesClient client,
      KnownInvalid known,
      KnownInvalidStore store,
      InstantSource clock) {
    this.store = store;
    var guards = settings.guards();
    var limits = settings.staleness();
    var nodes =
        guards.stream().anyMatch(guard -> guard.revisions() != null)
            ? new WatchedValues<>(
                "nodes", client, "/api/v1/nodes", limits, WatchedValues::readySince)
            : null;
    readyNodes = nodes;
    var revisions =
        new Revisions(
            guards, name -> nodes == null ? Optional.empty() : nodes.get(name), this::isListed);
    var feed = new ObjectFeed(known, revisions, clock);
    for (var guard : guards) {
      var resource = guard.resource();
      if (guard.isWatched()) {
        objects.put(
            guard.name(),
            Reflector.start(
                resource.toString(), client, resource.path(), limits, feed.handler(guard)));
      }
      var rollout = guard.rollout();
      if (!guard.stampOnly() && rollout != null && !rollout.serviceAccount().isEmpty()) {
        var process = rollout.process();
        rollouts.put(
            guard.name(),
            new WatchedValues<>(
                process.toString(),
                client,
                process.path(),
                limits,
                object -> rollout.goingOn().holds(object) ? Optional.of(true) : Optional.empty()));
      }
    }
    refreshing = PeriodicTask.start("verdicts of revisions", REFRESH_INTERVAL, feed::refresh);
  }

  private boolean isListed(Guard guard) {
    var reflector = objects.get(guard.name());
    return reflector != null && reflector.unavailableReason().isEmpty();
  }

  /** The watch of a guard's objects; null if they are not watched. */
  @Nullable Reflector watch(Guard guard) {
    return objects.get(guard.name());
  }

  boolean isRollingOut(Guard guard) {
    var processes = rollouts.get(guard.name());
    return processes != null && processes.isAny();
  }

  /** Why the index must not be used for this guard, in one line; empty if it may. */
  Optional<String> unavailableReason(Guard guard) {
    if (guard.stampOnly()) {
      return Optional.empty();
    }
    // If the guard's version is not served, nothing is listed, but converted writes arrive.
    return Stream.concat(
            Stream.ofNullable(watch(guard)).filter(watch -> !watch.isServedInOtherVersion()),
            Stream.of(store.reflector()).filter(Reflector::isServed))
        .flatMap(watch -> watch.unavailableReason().stream())
        .findFirst();
  }

  /**
   * Why the program is not ready; empty if it is. If the API server fails for the resource of one
   * guard, only that guard's calls are postponed, not those of all guards.
   */
  Optional<String> notReadyReason() {
    var isConnected = watches().anyMatch(Reflector::isConnected);
    return watches()
        .filter(watch -> !isConnected || watch == store.reflector() || !watch.isBrokenForAll())
        .flatMap(watch -> watch.notReadyReason().stream())
        .findFirst();
  }

  /** Why no guard may be armed that was not armed before; empty if it may. */
  Optional<String> incompleteReason() {
    return watches().flatMap(watch -> watch.notReadyReason().stream()).findFirst();
  }

  private Stream<Reflector> watches() {
    return Stream.concat(objects.values().stream(), Stream.of(store.reflector()));
  }

  @Override
  public void close() {
    refreshing.close();
    if (readyNodes != null) {
      readyNodes.close();
    }
    objects.values().forEach(Reflector::close);
    rollouts.values().forEach(WatchedValues::close);
  }
}
