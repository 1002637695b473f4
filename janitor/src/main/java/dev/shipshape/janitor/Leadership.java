package dev.shipshape.janitor;

import static java.util.Objects.requireNonNullElse;

import dev.shipshape.service.PeriodicTask;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes part in the leader election of the replicas by a Lease, until it is closed. */
final class Leadership implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Leadership.class);
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
  private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

  private final KubernetesClient client;
  private final String namespace;
  private final String lease;
  private final String identity;
  private final Duration leaseDuration;
  private final Duration renewDeadline;
  private final Duration retryPeriod;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final Thread elections;
  private volatile @Nullable Instant since;
  private volatile long renewed;

  /** Does nothing yet: see {@link #start}. The Lease is created if it does not exist. */
  Leadership(KubernetesClient client, String namespace, String lease) {
    this(client, namespace, lease, LEASE_DURATION);
  }

  Leadership(KubernetesClient client, String namespace, String lease, Duration leaseDuration) {
    this.leaseDuration = leaseDuration;
    this.renewDeadline = leaseDuration.multipliedBy(2).dividedBy(3);
    this.retryPeriod = leaseDuration.multipliedBy(2).dividedBy(15);
    this.client = withShortTimeouts(client, renewDeadline.dividedBy(2));
    this.namespace = namespace;
    this.lease = lease;
    this.identity = requireNonNullElse(System.getenv("HOSTNAME"), lease) + "_" + UUID.randomUUID();
    this.elections = Thread.ofVirtual().name("lease").unstarted(this::electionLoop);
  }

  /** Shortens the timeout: a request without a response would delay the next attempt. */
  private static KubernetesClient withShortTimeouts(KubernetesClient client, Duration timeout) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout((int) timeout.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    return client.newClient(once).adapt(KubernetesClient.class);
  }

  /** Checks whether this replica leads now; false after {@link #close}. */
  boolean isLeader() {
    return since().isPresent();
  }

  /**
   * Returns since when this replica leads; empty if it does not lead now. Checks the age of the
   * last renewal, because the library checks it only between two requests. So leadership ends here
   * before another replica can acquire the Lease.
   */
  Optional<Instant> since() {
    var held = System.nanoTime() - renewed;
    return closed.isDone() || held > leaseDuration.minus(retryPeriod).toNanos()
        ? Optional.empty()
        : Optional.ofNullable(since);
  }

  void start() {
    elections.start();
  }

  /** Releases the Lease before it returns, if the API server is reachable. */
  @Override
  public void close() {
    closed.complete(null);
    try {
      if (!elections.join(RELEASE_TIMEOUT)) {
        logger.warn("lease {}/{}: not released within {}", namespace, lease, RELEASE_TIMEOUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts a new elector for each term: one of the library works for one term only. */
  private void electionLoop() {
    while (!closed.isDone()) {
      try {
        runTerm();
      } catch (RuntimeException e) {
        logger.warn("lease {}/{}: the election failed: {}", namespace, lease, e.toString());
      }
      var pause = new CompletableFuture<Void>();
      var ignored = pause.completeOnTimeout(null, retryPeriod.toMillis(), TimeUnit.MILLISECONDS);
      CompletableFuture.anyOf(pause, closed).join();
    }
  }

  private void runTerm() {
    var config =
        new LeaderElectionConfigBuilder()
            .withName(lease)
            .withLock(new ReportingLock())
            .withLeaseDuration(leaseDuration)
            .withRenewDeadline(renewDeadline)
            .withRetryPeriod(retryPeriod)
            .withReleaseOnCancel(true)
            .withLeaderCallbacks(new LeaderCallbacks(this::lead, this::resign, this::follow))
            .build();
    var term = client.leaderElector().withConfig(config).build().start();
    try {
      CompletableFuture.anyOf(term, closed).join();
    } catch (CompletionException e) {
      logger.warn("lease {}/{}: the term ended: {}", namespace, lease, e.getMessage());
    } finally {
      // Releases the Lease; the library does not always report that a term ended.
      term.cancel(true);
      resign();
    }
  }

  /** Records renewals and logs failures: the library reports neither. */
  private final class ReportingLock extends LeaseLock {
    private long requested;
    private @Nullable LeaderElectionRecord seen;
    private long seenAt;
    private String lastFailure = "";

    ReportingLock() {
      super(namespace, lease, identity);
    }

    @Override
    public synchronized @Nullable LeaderElectionRecord get(KubernetesClient client) {
      requested = System.nanoTime();
      var found = logged(() -> super.get(client));
      if (!Objects.equals(found, seen)) {
        seen = found;
        seenAt = System.nanoTime();
      }
      // It expires by the time that passes here: another replica's clock may be wrong.
      var age = System.nanoTime() - seenAt;
      var renewTime = ZonedDateTime.now(ZoneOffset.UTC).minusNanos(age);
      return found == null ? null : found.toBuilder().renewTime(renewTime).build();
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord ours) {
      logged(
          () -> {
            super.create(client, ours);
            return null;
          });
      renewed = requested;
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord ours) {
      // Without this, the library's patch would keep the holder's name after a release.
      var holder = requireNonNullElse(ours.getHolderIdentity(), "");
      logged(
          () -> {
            super.update(client, ours.toBuilder().holderIdentity(holder).build());
            return null;
          });
      renewed = requested;
      lastFailure = "";
    }

    private <T extends @Nullable Object> T logged(Supplier<T> request) {
      try {
        return request.get();
      } catch (OutOfMemoryError e) {
        // After an Error, the library waits for ever.
        throw new KubernetesClientException("out of memory", e);
      } catch (RuntimeException e) {
        var failure = PeriodicTask.explain(e);
        // A conflict is normal: another replica was faster.
        if (!failure.equals(lastFailure) && !isConflict(e)) {
          logger.warn("lease {}/{}: {}", namespace, lease, failure);
          lastFailure = failure;
        }
        throw e instanceof KubernetesClientException known
            ? known
            : new KubernetesClientException(failure, e);
      }
    }
  }

  private static boolean isConflict(RuntimeException e) {
    return e instanceof KubernetesClientException refused
        && refused.getCode() == HttpURLConnection.HTTP_CONFLICT;
  }

  private void lead() {
    since = Instant.now();
  }

  private void resign() {
    if (since != null) {
      logger.info("lease {}/{}: {} no longer leads", namespace, lease, identity);
    }
    since = null;
  }

  private void follow(@Nullable String leader) {
    if (leader != null && !leader.isEmpty()) {
      logger.info("lease {}/{}: {} leads", namespace, lease, leader);
    }
  }
}
