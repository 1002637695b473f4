package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.Rollout;
import dev.shipshape.webhook.config.StalenessLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a rollout is going on, by the objects that say so. */
public final class RolloutWatch implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(RolloutWatch.class);

  private final Rollout rollout;
  private final Set<String> goingOn = ConcurrentHashMap.newKeySet();
  private final SupervisedInformer following;

  private RolloutWatch(Rollout rollout, KubernetesClient client, StalenessLimits limits) {
    this.rollout = rollout;
    var process = rollout.process();
    this.following =
        SupervisedInformer.start(
            process.toString(), client, process.path(), limits, new Processes());
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
        && following.unavailableReason().isEmpty();
  }

  /** The list and watch behind it. Where it is lost nothing passes for its sake, and no more. */
  public SupervisedInformer following() {
    return following;
  }

  @Override
  public void close() {
    following.close();
  }

  private final class Processes implements Reflector.Sink {
    @Override
    public void put(WireObject object) {
      if (goesOn(object)) {
        goingOn.add(object.key());
      } else {
        goingOn.remove(object.key());
      }
    }

    private boolean goesOn(WireObject object) {
      try {
        return rollout.goingOn().holds(object.tree());
      } catch (IOException e) {
        logger.warn(
            "cannot read {} {} (uid {}), so that no rollout goes on by it: {}",
            rollout.process(),
            object.key(),
            object.uid(),
            e.getMessage());
        return false;
      }
    }

    @Override
    public void remove(String key, String uid) {
      goingOn.remove(key);
    }

    @Override
    public Stream<String> keys() {
      return goingOn.stream();
    }
  }
}
