package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the janitor may do what one of its tasks needs, asked of the API server itself. Missing
 * rights are named once and asked for again, for they can be granted at any time.
 */
final class Rights {
  private static final Logger logger = LoggerFactory.getLogger(Rights.class);
  private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

  /** Rights that are there can be taken away at any time, too. */
  private static final Duration BELIEVE = Duration.ofMinutes(5);

  private final KubernetesApi api;
  private final InstantSource clock;
  private final String task;
  private final List<Right> needed;
  private volatile List<Right> missing;
  private @Nullable Instant asked;

  /**
   * @param task what the rights are for, in one word
   */
  Rights(KubernetesApi api, InstantSource clock, String task, List<Right> needed) {
    this.api = api;
    this.clock = clock;
    this.task = task;
    this.needed = needed;
    this.missing = List.of();
  }

  /** What was missing when last asked. */
  List<Right> missing() {
    return missing;
  }

  /**
   * Whether all rights are there.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where the API server cannot be asked
   */
  synchronized boolean areGranted() {
    var now = clock.instant();
    if (!isFresh(now)) {
      var before = missing;
      missing = needed.stream().filter(right -> !isGranted(right)).toList();
      asked = now;
      if (!missing.isEmpty() && !missing.equals(before)) {
        logger.error(
            "rights: {} is idle, the service account may not: {}; grant it in a Role",
            task,
            missing);
      } else if (missing.isEmpty() && !before.isEmpty()) {
        logger.info("rights: {} has all that it needs now", task);
      }
    }
    return missing.isEmpty();
  }

  /** Asks again the next time: the API server has just refused something. */
  synchronized void doubt() {
    asked = null;
  }

  /** A time in the future is a clock that was set back: it proves no freshness. */
  private boolean isFresh(Instant now) {
    if (asked == null) {
      return false;
    }
    var passed = Duration.between(asked, now);
    var valid = missing.isEmpty() ? BELIEVE : ASK_AGAIN;
    return !passed.isNegative() && passed.compareTo(valid) < 0;
  }

  private boolean isGranted(Right right) {
    var path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    return api.post(path, right.review())
        .requireSuccess("POST " + path)
        .body()
        .path("status")
        .path("allowed")
        .asBoolean(false);
  }
}
