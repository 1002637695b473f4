package dev.shipshape.janitor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of the replicas by the Lease {@code shipshape-janitor}. It stands for election for as
 * long as it lives, and gives the Lease up when closed.
 */
final class Leadership implements AutoCloseable {
  static final String LEASE = "shipshape-janitor";

  private static final Logger logger = LoggerFactory.getLogger(Leadership.class);
  private static final Duration LEASE_LIFE = Duration.ofSeconds(15);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration RELEASE = Duration.ofSeconds(5);

  private final KubernetesClient client;
  private final String namespace;
  private final String identity;
  private final CountDownLatch elected = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread standing;
  private volatile boolean leader;
  private volatile @Nullable CompletableFuture<?> term;

  Leadership(KubernetesClient client, String namespace, String identity) {
    this.client = client;
    this.namespace = namespace;
    this.identity = identity;
    this.standing = Thread.ofVirtual().name("lease").unstarted(this::standAgainAndAgain);
  }

  boolean isLeader() {
    return leader && closed.getCount() > 0;
  }

  /** Waits until this replica has led for the first time; false where the time is over before. */
  boolean await(Duration time) throws InterruptedException {
    return elected.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Begins to stand for election, and returns. */
  void stand() {
    standing.start();
  }

  /** Gives the Lease up before it returns, where the API server can be reached. */
  @Override
  public void close() {
    closed.countDown();
    var current = term;
    if (current != null) {
      current.cancel(true);
    }
    try {
      if (!standing.join(RELEASE)) {
        logger.warn("lease {}/{}: still standing after {}", namespace, LEASE, RELEASE);
      }
      if (current != null) {
        leaveNoName();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The library's own release leaves our name in the Lease and only makes it expire. A name that no
   * longer lives there would mislead whoever looks.
   */
  private void leaveNoName() {
    var api = new KubernetesApi(client);
    var path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, LEASE);
    try {
      var lease = api.find(path).filter(this::isHeldByUs).orElse(null);
      if (lease != null) {
        var patch = JsonNodeFactory.instance.objectNode();
        patch
            .putObject("metadata")
            .put("resourceVersion", lease.at("/metadata/resourceVersion").asText());
        patch.putObject("spec").putNull("holderIdentity");
        api.mergePatch(path, patch);
      }
    } catch (ApiFailure e) {
      logger.warn("lease {}/{}: could not be given up: {}", namespace, LEASE, e.getMessage());
    }
  }

  private boolean isHeldByUs(JsonNode lease) {
    return lease.at("/spec/holderIdentity").asText().equals(identity);
  }

  /** An elector serves for one term; the next term needs a new one. */
  private void standAgainAndAgain() {
    try {
      do {
        oneTerm();
      } while (!closed.await(RETRY.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void oneTerm() throws InterruptedException {
    var config =
        new LeaderElectionConfigBuilder()
            .withName(LEASE)
            .withLock(new LeaseLock(namespace, LEASE, identity))
            .withLeaseDuration(LEASE_LIFE)
            .withRenewDeadline(RENEW_DEADLINE)
            .withRetryPeriod(RETRY)
            .withReleaseOnCancel(true)
            .withLeaderCallbacks(new LeaderCallbacks(this::lead, this::resign, this::follow))
            .build();
    var current = client.leaderElector().withConfig(config).build().start();
    term = current;
    try {
      if (closed.getCount() > 0) {
        current.get();
      }
    } catch (CancellationException e) {
      // Closed.
    } catch (ExecutionException e) {
      logger.warn("lease {}/{}: the term ended: {}", namespace, LEASE, e.getMessage());
    } finally {
      current.cancel(true);
    }
  }

  private void lead() {
    leader = true;
    elected.countDown();
    logger.info("lease {}/{}: {} leads", namespace, LEASE, identity);
  }

  private void resign() {
    if (leader) {
      logger.info("lease {}/{}: {} no longer leads", namespace, LEASE, identity);
    }
    leader = false;
  }

  /**
   * @param other null where nobody leads
   */
  private void follow(@Nullable String other) {
    if (other != null && !other.isEmpty() && !other.equals(identity)) {
      logger.info("lease {}/{}: {} leads", namespace, LEASE, other);
    }
  }
}
