package dev.shipshape.webhook.store;

import dev.shipshape.webhook.config.StoreLimits;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what was observed, and deletes what is too old, on a thread of its own. Every replica does
 * both: each write names the resourceVersion that it was computed from, so that of two which saw
 * the same the second finds nothing left to write.
 */
final class KnownInvalidWriter implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KnownInvalidWriter.class);

  private static final Duration RETRY = Duration.ofSeconds(10);
  private static final Duration LISTING = Duration.ofMillis(500);
  private static final Duration LONGEST_SWEEP = Duration.ofHours(1);
  private static final int SWEEPS_PER_KEEP = 10;
  private static final Duration CLOCKS_APART = Duration.ofDays(1);
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final int TRIES = 5;

  /** What the API server answers to content that it does not take, such as too deep a nesting. */
  private static final Set<Integer> UNACCEPTABLE = Set.of(400, 413, 422);

  private final KnownInvalidStore store;
  private final KnownInvalidClient client;
  private final StoreLimits limits;
  private final InstantSource serverTime;
  private final Consumer<KnownInvalidConfiguration> learned;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("known-invalid").factory());
  private final AtomicBoolean awake = new AtomicBoolean();
  private String lastFailure = "";

  private KnownInvalidWriter(
      KnownInvalidStore store,
      KnownInvalidClient client,
      StoreLimits limits,
      InstantSource serverTime,
      Consumer<KnownInvalidConfiguration> learned) {
    this.store = store;
    this.client = client;
    this.limits = limits;
    this.serverTime = serverTime;
    this.learned = learned;
  }

  static KnownInvalidWriter start(
      KnownInvalidStore store,
      KnownInvalidClient client,
      StoreLimits limits,
      InstantSource serverTime,
      Consumer<KnownInvalidConfiguration> learned) {
    var writer = new KnownInvalidWriter(store, client, limits, serverTime, learned);
    var every = limits.keep().dividedBy(SWEEPS_PER_KEEP).toMillis();
    var sweep = Math.clamp(every, 1000, LONGEST_SWEEP.toMillis());
    var ignored =
        writer.thread.scheduleWithFixedDelay(
            () -> writer.attempt("delete what is too old", writer::sweep),
            sweep,
            sweep,
            TimeUnit.MILLISECONDS);
    return writer;
  }

  /** Writes soon what was observed; tries again until it is written. */
  void wake() {
    if (awake.compareAndSet(false, true)) {
      schedule(Duration.ZERO);
    }
  }

  private void schedule(Duration delay) {
    try {
      var ignored = thread.schedule(this::writeAll, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      logger.debug("known invalid: closed");
    }
  }

  private void writeAll() {
    if (store.unavailableReason().isPresent()) {
      // What is stored already would be written again.
      schedule(LISTING);
      return;
    }
    awake.set(false);
    for (var key : store.unwrittenKeys()) {
      if (!attempt("write " + key.objectName(), () -> writeNow(key))) {
        // Whoever woke it meanwhile has scheduled it already.
        if (awake.compareAndSet(false, true)) {
          schedule(RETRY);
        }
        return;
      }
    }
  }

  private boolean attempt(String what, Runnable task) {
    try {
      task.run();
      lastFailure = "";
      return true;
    } catch (RuntimeException e) {
      var failure = String.valueOf(explain(e));
      if (!failure.equals(lastFailure)) {
        logger.warn("known invalid: could not {}, will try again: {}", what, failure);
      }
      lastFailure = failure;
      return false;
    }
  }

  private static @Nullable String explain(RuntimeException failure) {
    return failure instanceof KubernetesClientException refused
            && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        ? "not allowed; grant the verbs create, patch, delete, get, list and watch on "
            + KnownInvalidClient.RESOURCE
        : failure.getMessage();
  }

  private void writeNow(ConfigurationKey key) {
    if (!store.isServed()) {
      throw new IllegalStateException(
          "the API server does not serve %s, so that nothing is kept beyond the objects that say so; install the chart with crds.enabled=true"
              .formatted(KnownInvalidClient.RESOURCE));
    }
    for (var tried = 0; tried < TRIES; tried++) {
      var next = store.next(key);
      if (next.after() == null || next.after().equals(next.before())) {
        store.settled(key, next.observations());
        return;
      }
      if (next.before() == null && isOld(next.after(), serverTime.instant())) {
        logger.debug("known invalid: {} is not kept: it failed last at {}", key, next.after().at());
        store.settled(key, next.observations());
        return;
      }
      if (write(key, next.before(), next.after(), content(next.observations()))) {
        store.settled(key, next.observations());
        return;
      }
      store.store(key, next.before(), client.read(key));
    }
    throw new IllegalStateException("every try met a newer version of it");
  }

  /** Whether it was written; not if somebody else was first. */
  private boolean write(
      ConfigurationKey key,
      @Nullable KnownInvalidConfiguration before,
      KnownInvalidConfiguration after,
      @Nullable String content) {
    try {
      store.store(
          key,
          before,
          before == null
              ? client.create(after, content)
              : client.update(before, after, before.verdict() == Verdict.CLEARED ? content : null));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
          || (before != null && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND)) {
        return false;
      }
      if (!UNACCEPTABLE.contains(e.getCode())) {
        throw e;
      }
      if (content != null) {
        return write(key, before, after, null);
      }
      logger.warn("known invalid: could not write {}: {}", key, e.getMessage());
      return true;
    }
    logger.info(
        "known invalid: wrote {}: {}, {} (uid {}){}, status written by {}: {}",
        key.objectName(),
        after.verdict(),
        after.source(),
        after.source().uid(),
        after.nodes().isEmpty() ? "" : " on " + String.join(", ", after.nodes()),
        KnownInvalidStore.text(after.writer()),
        KnownInvalidStore.text(after.reason()));
    if (after.verdict() == Verdict.INVALID
        && (before == null || before.verdict() != Verdict.INVALID)) {
      learned.accept(after);
    }
    if (before == null && ofGuard(key.guard()) > limits.entries()) {
      sweep();
    }
    return true;
  }

  private static @Nullable String content(List<Observation> observations) {
    return observations.stream()
        .filter(Observation.Failed.class::isInstance)
        .map(failed -> ((Observation.Failed) failed).content())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private long ofGuard(String guard) {
    return store.stored().filter(known -> known.key().guard().equals(guard)).count();
  }

  private boolean isOld(KnownInvalidConfiguration known, Instant now) {
    return !latest(known).isAfter(now.minus(limits.keep()));
  }

  /** Of what is cleared, when it was: until then older statuses must not teach it again. */
  private static Instant latest(KnownInvalidConfiguration known) {
    var at = known.at();
    return known.verdict() == Verdict.CLEARED && known.clearedAt().isAfter(at)
        ? known.clearedAt()
        : at;
  }

  /** Deletes what failed too long ago, and of each guard all but the newest. */
  private void sweep() {
    if (store.stored().findAny().isEmpty()) {
      return;
    }
    var now = serverTime.instant();
    // One of the two is wrong, and what has expired does not come back.
    if (Duration.between(now, Instant.now()).abs().compareTo(CLOCKS_APART) > 0) {
      throw new IllegalStateException(
          "the API server's clock says %s, more than a day from this machine's".formatted(now));
    }
    store
        .stored()
        .collect(Collectors.groupingBy(known -> known.key().guard()))
        .values()
        .forEach(
            ofGuard -> {
              ofGuard.sort(Comparator.comparing(KnownInvalidWriter::latest).reversed());
              for (var place = 0; place < ofGuard.size(); place++) {
                var known = ofGuard.get(place);
                if (place >= limits.entries() || isOld(known, now)) {
                  delete(known, place >= limits.entries() ? "newer ones fill its guard" : "old");
                }
              }
            });
  }

  private void delete(KnownInvalidConfiguration known, String why) {
    try {
      client.delete(known);
      store.store(known.key(), known, null);
      logger.info(
          "known invalid: deleted {}: {}, failed last at {}",
          known.key().objectName(),
          why,
          known.at());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Ends with the write that is going on. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      var ignored = thread.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
