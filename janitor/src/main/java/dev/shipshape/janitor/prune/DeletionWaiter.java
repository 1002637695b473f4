package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.service.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Waits until objects whose deletion was accepted are gone. Polls with exponential backoff: most
 * are gone at the first poll, the others may take very long.
 */
record DeletionWaiter(Duration firstPause, CancellationToken cancellation) {
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  /**
   * Waits until the objects are gone.
   *
   * @param findRemaining returns the objects that still exist, each with the reason
   * @param onGone called for each object as soon as it is gone
   * @return the objects that still exist at the deadline or after a cancellation, each with the
   *     reason, or with the error of the poll
   */
  <T> Map<T, String> await(
      Collection<T> objects,
      Duration deadline,
      Function<Collection<T>, Map<T, String>> findRemaining,
      Consumer<T> onGone) {
    var end = System.nanoTime() + deadline.toNanos();
    var remaining = new LinkedHashMap<T, String>();
    objects.forEach(object -> remaining.put(object, ""));
    var pause = firstPause;
    while (!remaining.isEmpty()) {
      try {
        var found = findRemaining.apply(remaining.keySet());
        var absent = new HashMap<>(remaining).keySet();
        absent.removeAll(found.keySet());
        remaining.putAll(found);
        absent.forEach(remaining::remove);
        absent.forEach(onGone);
      } catch (KubernetesClientException e) {
        remaining.replaceAll(
            (_, reason) ->
                reason.isEmpty() ? "could not be checked: " + ApiErrors.reason(e) : reason);
      }
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive() || !cancellation.pause(pause.compareTo(left) < 0 ? pause : left)) {
        return remaining;
      }
      var twice = pause.multipliedBy(2);
      pause = twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }
    return remaining;
  }
}
