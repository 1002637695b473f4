package dev.shipshape.janitor;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
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

  @Override
  public void close() {
    closed.countDown();
    standing.interrupt();
    try {
      if (!standing.join(RELEASE)) {
        logger.warn("lease {}/{}: could not be released in {}", namespace, LEASE, RELEASE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    var ended = new CountDownLatch(1);
    var config =
        new LeaderElectionConfigBuilder()
            .withName(LEASE)
            .withLock(new LeaseLock(namespace, LEASE, identity))
            .withLeaseDuration(LEASE_LIFE)
            .withRenewDeadline(RENEW_DEADLINE)
            .withRetryPeriod(RETRY)
            .withReleaseOnCancel(true)
            .withLeaderCallbacks(new LeaderCallbacks(this::lead, () -> resign(ended), this::follow))
            .build();
    var term = client.leaderElector().withConfig(config).build().start();
    try {
      term.get();
    } catch (ExecutionException | CancellationException e) {
      logger.warn("lease {}/{}: the term ended: {}", namespace, LEASE, e.getMessage());
    } catch (InterruptedException e) {
      var led = leader;
      term.cancel(true);
      if (led) {
        // The elector gives the Lease up before it tells that it stopped leading.
        ended.await(RELEASE.toNanos(), TimeUnit.NANOSECONDS);
      }
      throw e;
    }
  }

  private void lead() {
    leader = true;
    elected.countDown();
    logger.info("lease {}/{}: {} leads", namespace, LEASE, identity);
  }

  private void resign(CountDownLatch ended) {
    if (leader) {
      logger.info("lease {}/{}: {} no longer leads", namespace, LEASE, identity);
    }
    leader = false;
    ended.countDown();
  }

  private void follow(String other) {
    if (!other.isEmpty() && !other.equals(identity)) {
      logger.info("lease {}/{}: {} leads", namespace, LEASE, other);
    }
  }
}
