package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.webhook.guard.Rollout;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Whether a rollout is going on, by the objects that say so. */
public final class RolloutWatch implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Rollout rollout;
  private final Set<String> goingOn = ConcurrentHashMap.newKeySet();
  private final Following following;

  private RolloutWatch(Rollout rollout, KubernetesClient client, StalenessLimits limits) {
    this.rollout = rollout;
    var process = rollout.process();
    var store = new BasicItemStore<GenericKubernetesResource>(Cache::metaNamespaceKeyFunc);
    this.following =
        Following.start(
            process.toString(),
            client,
            process.path(),
            limits,
            () ->
                client
                    .genericKubernetesResources(IndexFeed.context(process))
                    .inAnyNamespace()
                    .runnableInformer(0)
                    .itemStore(store)
                    .addEventHandler(new Handler()));
  }

  /** Begins to list; returns at once. */
  public static RolloutWatch start(
      Rollout rollout, KubernetesClient client, StalenessLimits limits) {
    return new RolloutWatch(rollout, client, limits);
  }

  /** Whether this user's write may be one that goes back: it rolls out, and a rollout goes on. */
  public boolean mayGoBack(String user) {
    return user.equals(rollout.serviceAccount())
        && !goingOn.isEmpty()
        && following.unusable().isEmpty();
  }

  /** The list and watch behind it. Where it is lost nothing passes for its sake, and no more. */
  public Following following() {
    return following;
  }

  @Override
  public void close() {
    following.close();
  }

  private final class Handler implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource added) {
      JsonNode json = MAPPER.valueToTree(added);
      var uid = added.getMetadata().getUid();
      if (rollout.goingOn().holds(json)) {
        goingOn.add(uid);
      } else {
        goingOn.remove(uid);
      }
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
      // A list finds what was made anew under the same name, and says nothing of the one before.
      var uid = before.getMetadata().getUid();
      if (!uid.equals(after.getMetadata().getUid())) {
        goingOn.remove(uid);
      }
      onAdd(after);
    }

    @Override
    public void onDelete(GenericKubernetesResource deleted, boolean stateUnknown) {
      goingOn.remove(deleted.getMetadata().getUid());
    }
  }
}
