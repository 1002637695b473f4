package dev.shipshape.service;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of the replicas by a Lease. It stands for election for as long as it lives, and gives
 * the Lease up when closed.
 */
public final class Leadership implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Leadership.class);
  private static final Duration LEASE_LIFE = Duration.ofSeconds(15);
  private static final Duration RELEASE = Duration.ofSeconds(5);

  private final KubernetesClient client;
  private final String namespace;
  private final String lease;
  private final String identity;
  private final CountDownLatch elected = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread standing;
  private final Duration life;
  private final Duration renewDeadline;
  private final Duration retry;

  /**
   * Since the last renewal was begun: then nobody else leads yet, and what is under way can end.
   */
  private final Duration longestTerm;

  private final LeaseTroubles troubles;
  private volatile boolean leader;
  private volatile Instant began = Instant.EPOCH;
  private volatile long renewed;
  private volatile @Nullable CompletableFuture<?> term;

  /**
   * Does nothing yet: see {@link #stand}.
   *
   * @param lease the name of the Lease, made where it does not exist
   */
  public Leadership(KubernetesClient client, String namespace, String lease) {
    this(client, namespace, lease, LEASE_LIFE);
  }

  /**
   * @param life how long the Lease holds after a renewal
   */
  Leadership(KubernetesClient client, String namespace, String lease, Duration life) {
    this.life = life;
    this.renewDeadline = life.multipliedBy(2).dividedBy(3);
    this.retry = life.multipliedBy(2).dividedBy(15);
    this.longestTerm = life.minus(retry);
    this.client = brief(client, renewDeadline.dividedBy(2));
    this.namespace = namespace;
    this.lease = lease;
    this.troubles = new LeaseTroubles(namespace + "/" + lease);
    this.identity = identity(lease);
    this.standing = Thread.ofVirtual().name("lease").unstarted(this::standAgainAndAgain);
  }

  /**
   * A request that gets no answer must not keep us from seeing that the Lease has run out: the
   * library looks at that between two requests only.
   */
  private static KubernetesClient brief(KubernetesClient client, Duration longest) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout((int) longest.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    return client.newClient(once).adapt(KubernetesClient.class);
  }

  /** The pod's name where there is one, and never the same twice. */
  private static String identity(String otherwise) {
    var host = System.getenv("HOSTNAME");
    return (host == null ? otherwise : host) + "_" + UUID.randomUUID();
  }

  /**
   * Whether this replica leads at this moment; never again once closed. It ends by itself where the
   * Lease is not renewed: the library waits for an answer before it sees that.
   */
  public boolean isLeader() {
    return leader && closed.getCount() > 0 && System.nanoTime() - renewed < longestTerm.toNanos();
  }

  /** Since when this replica has led; empty where it does not lead at this moment. */
  public Optional<Instant> since() {
    var since = began;
    return isLeader() ? Optional.of(since) : Optional.empty();
  }

  /** Waits until this replica has led for the first time; false where the time is over before. */
  public boolean await(Duration time) throws InterruptedException {
    return elected.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Begins to stand for election, and returns. */
  public void stand() {
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
        logger.warn("lease {}/{}: the election did not stop within {}", namespace, lease, RELEASE);
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
    try {
      var held = client.leases().inNamespace(namespace).withName(lease).get();
      if (held != null && identity.equals(held.getSpec().getHolderIdentity())) {
        held.getSpec().setHolderIdentity(null);
        // With the resourceVersion that was read: a successor's name is not overwritten.
        client.leases().resource(held).update();
      }
    } catch (KubernetesClientException e) {
      logger.warn("lease {}/{}: could not release it: {}", namespace, lease, e.getMessage());
    }
  }

  /** An elector serves for one term; the next term needs a new one. */
  private void standAgainAndAgain() {
    try {
      do {
        try {
          oneTerm();
        } catch (RuntimeException e) {
          logger.warn(
              "lease {}/{}: leader election failed, will try again: {}",
              namespace,
              lease,
              e.toString());
        }
      } while (!closed.await(retry.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void oneTerm() throws InterruptedException {
    var config =
        new LeaderElectionConfigBuilder()
            .withName(lease)
            .withLock(new SteadyLock())
            .withLeaseDuration(life)
            .withRenewDeadline(renewDeadline)
            .withRetryPeriod(retry)
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
      logger.warn("lease {}/{}: the term ended: {}", namespace, lease, e.getMessage());
    } finally {
      current.cancel(true);
      // However it ended: the elector need not have told.
      resign();
    }
  }

  /**
   * The Lease, without trust in the clocks of others and in what others have written into it:
   * another's counts from when it was seen to be renewed, and one that cannot be read fails as a
   * request does. Tells also since when our own counts, however long the requests took.
   */
  private final class SteadyLock extends LeaseLock {
    private @Nullable LeaderElectionRecord last;
    private long seen;
    private long asked;

    SteadyLock() {
      super(namespace, lease, identity);
    }

    @Override
    public synchronized @Nullable LeaderElectionRecord get(KubernetesClient client) {
      asked = System.nanoTime();
      var found = telling("get", () -> read(client));
      if (found == null || identity.equals(found.getHolderIdentity())) {
        return found;
      }
      if (!found.equals(last)) {
        last = found;
        seen = asked;
      }
      return new LeaderElectionRecord(
          found.getHolderIdentity(),
          found.getLeaseDuration(),
          found.getAcquireTime(),
          ZonedDateTime.now(ZoneOffset.UTC).minusNanos(System.nanoTime() - seen),
          found.getLeaderTransitions());
    }

    private @Nullable LeaderElectionRecord read(KubernetesClient client) {
      try {
        return super.get(client);
      } catch (KubernetesClientException e) {
        throw e;
      } catch (RuntimeException e) {
        throw new KubernetesClientException(
            "lease %1$s/%2$s: its content cannot be read; delete it, it is made again: kubectl -n %1$s delete lease %2$s"
                .formatted(namespace, lease),
            e);
      }
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord ours) {
      telling(
          "create",
          () -> {
            super.create(client, ours);
            return ours;
          });
      renewed = asked;
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord ours) {
      telling(
          "update",
          () -> {
            super.update(client, ours);
            return ours;
          });
      renewed = asked;
    }

    /** The library tries again without a word. */
    private <T extends @Nullable Object> T telling(String verb, Supplier<T> request) {
      try {
        var result = request.get();
        troubles.succeeded(verb);
        return result;
      } catch (KubernetesClientException e) {
        troubles.failed(verb, e).ifPresent(logger::warn);
        throw e;
      }
    }
  }

  private void lead() {
    began = Instant.now();
    leader = true;
    elected.countDown();
    logger.info("lease {}/{}: {} leads", namespace, lease, identity);
  }

  private void resign() {
    if (leader) {
      logger.info("lease {}/{}: {} no longer leads", namespace, lease, identity);
    }
    leader = false;
  }

  /**
   * @param other null where nobody leads
   */
  private void follow(@Nullable String other) {
    if (other != null && !other.isEmpty() && !other.equals(identity)) {
      logger.info("lease {}/{}: {} leads", namespace, lease, other);
    }
  }
}
