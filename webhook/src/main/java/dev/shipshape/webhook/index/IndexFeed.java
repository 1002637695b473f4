package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.StalenessLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Feeds the index of one guarded resource by list and watch. */
public final class IndexFeed implements GuardIndex, AutoCloseable {
  private final Guard guard;
  private final KnownInvalidIndex index;
  private final SupervisedInformer following;

  private IndexFeed(Guard guard, KnownInvalidIndex index, SupervisedInformer following) {
    this.guard = guard;
    this.index = index;
    this.following = following;
  }

  /**
   * Begins to list; returns at once.
   *
   * @param revisions that have the last word on what a revision's status says
   */
  public static IndexFeed start(
      Guard guard,
      KubernetesClient client,
      StalenessLimits limits,
      Revisions revisions,
      List<Listener> onlookers) {
    var index = new KnownInvalidIndex();
    onlookers.forEach(onlooker -> onlooker.begins(guard, index));
    var store = new ProjectingStore(guard, index, revisions, onlookers);
    var following =
        SupervisedInformer.start(
            guard.resource().toString(), client, guard.resource().path(), limits, store);
    revisions.listed(guard, () -> following.unavailableReason().isEmpty());
    return new IndexFeed(guard, index, following);
  }

  @Override
  public Guard guard() {
    return guard;
  }

  @Override
  public KnownInvalidIndex index() {
    return index;
  }

  /** Whether everything that exists has been listed. */
  public boolean synced() {
    return following.synced();
  }

  /** Whether the API server serves the resource, as far as is known. */
  public boolean served() {
    return following.served();
  }

  @Override
  public Duration staleness() {
    return following.staleness();
  }

  @Override
  public Optional<String> unavailableReason() {
    return following.unavailableReason();
  }

  /** The list and watch behind it. */
  public SupervisedInformer following() {
    return following;
  }

  @Override
  public void close() {
    following.close();
  }
}
