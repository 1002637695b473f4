package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Waits until objects whose deletion was accepted are gone. It lists them again and again, with
 * pauses that grow: most are gone at the first look, and the others may take very long.
 */
final class DeletionWaiter {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Duration firstPause;
  private final CancellationToken cancellation;

  DeletionWaiter(Duration firstPause, CancellationToken cancellation) {
    this.firstPause = firstPause;
    this.cancellation = cancellation;
  }

  /**
   * Waits.
   *
   * @param look finds those that are still there, each with what holds it
   * @param gone told of each as soon as it is seen to be gone
   * @return those that are still there at the deadline or when told to stop, each with what holds
   *     it; or with why that is not known
   */
  <T> Map<T, String> await(
      Collection<T> objects,
      Duration deadline,
      Function<Collection<T>, Map<T, String>> look,
      Consumer<T> gone) {
    var end = System.nanoTime() + deadline.toNanos();
    var remaining = new LinkedHashMap<T, String>();
    objects.forEach(object -> remaining.put(object, ""));
    var pause = firstPause;
    while (!remaining.isEmpty()) {
      try {
        var found = look.apply(remaining.keySet());
        var absent = new HashMap<>(remaining).keySet();
        absent.removeAll(found.keySet());
        remaining.putAll(found);
        absent.forEach(remaining::remove);
        absent.forEach(gone);
      } catch (KubernetesClientException e) {
        remaining.replaceAll(
            (_, held) -> held.isEmpty() ? "could not be looked for: " + ApiErrors.reason(e) : held);
      }
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive() || !cancellation.pause(pause.compareTo(left) < 0 ? pause : left)) {
        return remaining;
      }
      var twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
    return remaining;
  }
}
