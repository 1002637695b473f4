package dev.shipshape.janitor;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
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
final class AccessReview {
  private static final Logger logger = LoggerFactory.getLogger(AccessReview.class);
  private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

  /** Rights that are there can be taken away at any time, too. */
  private static final Duration BELIEVE = Duration.ofMinutes(5);

  private final KubernetesClient client;
  private final InstantSource clock;
  private final String task;
  private final List<ResourceAttributes> needed;
  private volatile List<ResourceAttributes> missing;
  private @Nullable Instant asked;

  /**
   * @param task what the rights are for, in one word
   */
  AccessReview(
      KubernetesClient client, InstantSource clock, String task, List<ResourceAttributes> needed) {
    this.client = client;
    this.clock = clock;
    this.task = task;
    this.needed = needed;
    this.missing = List.of();
  }

  /** What was missing when last asked. */
  List<ResourceAttributes> missing() {
    return missing;
  }

  /**
   * Whether all rights are there.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException where the API server cannot be
   *     asked
   */
  synchronized boolean areGranted() {
    var now = clock.instant();
    if (!isFresh(now)) {
      var before = missing;
      missing = needed.stream().filter(access -> !isGranted(access)).toList();
      asked = now;
      if (!missing.isEmpty() && !missing.equals(before)) {
        logger.error(
            "rights: {} is idle, the service account may not: {}; grant it in a Role",
            task,
            missing.stream().map(RequiredAccess::text).toList());
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

  private boolean isGranted(ResourceAttributes access) {
    var review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withResourceAttributes(access)
            .endSpec()
            .build();
    var status = client.authorization().v1().selfSubjectAccessReview().create(review).getStatus();
    return status != null && Boolean.TRUE.equals(status.getAllowed());
  }
}
