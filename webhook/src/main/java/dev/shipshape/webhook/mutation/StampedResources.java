package dev.shipshape.webhook.mutation;

import dev.shipshape.webhook.admission.GroupVersionResource;
import dev.shipshape.webhook.config.StampedResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources that a user wants stamped, and whether a hash of their status would last: not where
 * the status is a subresource, since a write of that keeps no metadata. What the API server says
 * about it is asked beside the admission path, and only as long as such objects are written.
 */
public final class StampedResources {
  private static final Logger logger = LoggerFactory.getLogger(StampedResources.class);

  /** A definition changes seldom; one that is not there yet may come any time. */
  private static final long KNOWN_NANOS = Duration.ofMinutes(10).toNanos();

  private static final long UNKNOWN_NANOS = Duration.ofSeconds(30).toNanos();

  private final Set<StampedResource> listed;
  private final StatusDiscovery discovery;
  private final LongSupplier nanoTime;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Map<GroupVersionResource, Boolean> statusSubresource = Map.of();
  private volatile boolean wanted = true;
  private volatile long due;

  public StampedResources(
      Collection<StampedResource> listed, StatusDiscovery discovery, LongSupplier nanoTime) {
    this.listed = Set.copyOf(listed);
    this.discovery = discovery;
    this.nanoTime = nanoTime;
    this.due = nanoTime.getAsLong();
  }

  /** No resources but those of guards. */
  static StampedResources none() {
    return new StampedResources(Set.of(), resources -> Map.of(), System::nanoTime);
  }

  boolean contain(GroupVersionResource resource) {
    return !listed.isEmpty() && listed.contains(unversioned(resource));
  }

  /** Whether a status of this resource is known to be stored by writes of the object itself. */
  boolean keepStatus(GroupVersionResource resource) {
    wanted = true;
    return Boolean.FALSE.equals(statusSubresource.get(resource));
  }

  /** Whether {@link #ask} has something to ask. */
  public boolean isDue() {
    return !listed.isEmpty() && wanted && nanoTime.getAsLong() - due >= 0 && !asking.get();
  }

  /** Asks the API server, and waits for it. */
  public void ask() {
    if (!asking.compareAndSet(false, true)) {
      return;
    }
    var complete = false;
    try {
      wanted = false;
      var found = discovery.of(listed);
      statusSubresource = found;
      complete = listed.stream().allMatch(resource -> isServed(resource, found));
    } catch (KubernetesClientException e) {
      wanted = true;
      logger.warn(
          "could not ask the API server which of {} have a status subresource, will try again: {}",
          listed,
          e.getMessage());
    } finally {
      due = nanoTime.getAsLong() + (complete ? KNOWN_NANOS : UNKNOWN_NANOS);
      asking.set(false);
    }
  }

  private static boolean isServed(
      StampedResource resource, Map<GroupVersionResource, Boolean> found) {
    return found.keySet().stream().map(StampedResources::unversioned).anyMatch(resource::equals);
  }

  private static StampedResource unversioned(GroupVersionResource resource) {
    return new StampedResource(resource.plural(), resource.group());
  }
}
