package dev.shipshape.webhook.store;

import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.LogLimiter;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.webhook.config.StalenessLimits;
import dev.shipshape.webhook.config.StoreLimits;
import dev.shipshape.webhook.index.BoundedObject;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.Evidence;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.KnownInvalid.PendingWrite;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.Verdict;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Watches the KnownInvalidConfigurations of the cluster for the index, and writes the index's
 * pending observations. If the CustomResourceDefinition is not installed, nothing outlives the
 * objects that report failures.
 *
 * <p>All replicas write observations and delete expired ones. If two have made the same
 * observation, the second finds nothing left to write.
 */
public final class KnownInvalidStore implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KnownInvalidStore.class);
  private static final Duration WRITE_INTERVAL = Duration.ofMillis(500);
  private static final Duration MAX_SWEEP_INTERVAL = Duration.ofHours(1);
  private static final int SWEEPS_PER_KEEP = 10;
  private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofDays(1);
  private static final Duration COUNT_INTERVAL = Duration.ofMinutes(1);

  private static final int MAX_NAMED_NODES = 3;

  /** In one run: of the others, some may be written although all of these are refused. */
  private static final int MAX_WRITES = 20;

  private final KnownInvalid known;
  private final KnownInvalidClient client;
  private final StoreLimits limits;
  private final InstantSource serverTime;
  private final Consumer<KnownInvalidConfiguration> learned;
  private final Reflector reflector;
  private final PeriodicTask writing;
  private final LogLimiter full = new LogLimiter(Duration.ofHours(1), System::nanoTime);
  private final Duration sweepInterval;
  private long nextSweep;

  /** When the attempts of each configuration may be stored next. */
  private final Map<ConfigurationKey, Long> nextAttemptWrites = new HashMap<>();

  /**
   * Starts to watch and to write, and returns.
   *
   * @param serverTime the API server's clock, which all times here use; may block, and throws
   *     KubernetesClientException if it is not known
   * @param learned gets each configuration that this replica was the first to store as invalid
   */
  public KnownInvalidStore(
      KnownInvalid known,
      KubernetesClient kubernetes,
      StoreLimits limits,
      StalenessLimits staleness,
      InstantSource serverTime,
      Consumer<KnownInvalidConfiguration> learned) {
    this.known = known;
    this.client = new KnownInvalidClient(kubernetes);
    this.limits = limits;
    this.serverTime = serverTime;
    this.learned = learned;
    var every = limits.keep().dividedBy(SWEEPS_PER_KEEP).toMillis();
    this.sweepInterval = Duration.ofMillis(Math.clamp(every, 1000, MAX_SWEEP_INTERVAL.toMillis()));
    this.nextSweep = System.nanoTime() + sweepInterval.toNanos();
    this.reflector =
        Reflector.start(
            KnownInvalidClient.RESOURCE,
            kubernetes,
            KnownInvalidClient.PATH,
            staleness,
            new WatchHandler());
    this.writing = PeriodicTask.start("known invalid", WRITE_INTERVAL, this::run);
  }

  public Reflector reflector() {
    return reflector;
  }

  @Override
  public void close() {
    writing.close();
    reflector.close();
  }

  /** Called often. */
  private void run() {
    // Before the first list is complete, stored ones would be written again.
    if (reflector.isServed() && reflector.unavailableReason().isPresent()) {
      return;
    }
    if (known.isFull() && full.isDue("")) {
      logger.warn(
          "known invalid: {} configurations wait to be written; meanwhile, failures of others are"
              + " forgotten when their objects are deleted",
          KnownInvalid.MAX_UNWRITTEN);
    }
    var refusal = writeAll();
    if (System.nanoTime() - nextSweep >= 0) {
      nextSweep = System.nanoTime() + sweepInterval.toNanos();
      var undeleted = sweep();
      refusal = undeleted == null ? refusal : undeleted;
    }
    storeAttempts();
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Tries some pending writes; returns the last refusal. */
  private @Nullable KubernetesClientException writeAll() {
    var waiting = new ArrayList<>(known.unwritten());
    Collections.shuffle(waiting);
    return tryAll(waiting.subList(0, Math.min(waiting.size(), MAX_WRITES)), this::write);
  }

  /** Continues after a refusal, for example by an admission policy; returns the last refusal. */
  private static <T> @Nullable KubernetesClientException tryAll(
      Iterable<T> all, Consumer<T> request) {
    KubernetesClientException failure = null;
    for (var each : all) {
      try {
        request.accept(each);
      } catch (KubernetesClientException e) {
        failure = e;
        if (ApiErrors.isUnanswered(e)
            || e.getCode() == 429
            || e.getCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
          // Not this one's fault: each would be waited for.
          break;
        }
      }
    }
    return failure;
  }

  private void write(PendingWrite next) {
    if (!reflector.isServed()) {
      throw new IllegalStateException(
          "the API server does not serve %s, so known invalid configurations are forgotten when their objects are deleted; install the chart with crds.enabled=true"
              .formatted(KnownInvalidClient.RESOURCE));
    }
    var key = next.key();
    var before = next.before();
    var after = next.after();
    if (after == null
        || after.equals(before)
        || (before == null && (isExpired(after, serverTime.instant()) || isOverLimit(after)))) {
      known.removeWritten(next);
      return;
    }
    try {
      var now = before == null ? client.create(after) : client.patch(before, after);
      known.replaceIfUnchanged(key, before, now);
      // Failures are written even if another client has cleared it since.
      if (now.verdict() == after.verdict()) {
        known.removeWritten(next);
        report(before, after);
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
          || (before != null && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND)) {
        // Another client was first: the next run starts from the current state.
        known.replaceIfUnchanged(key, before, client.read(key));
      } else if (e.getCode() == HttpURLConnection.HTTP_ENTITY_TOO_LARGE) {
        logger.warn(
            "known invalid: {} is too large to be stored, so it is forgotten when its object is"
                + " deleted: {}",
            key.objectName(),
            PeriodicTask.explain(e));
        known.removeWritten(next);
      } else {
        throw e;
      }
    }
  }

  private void report(@Nullable KnownInvalidConfiguration before, KnownInvalidConfiguration after) {
    logEvent(after)
        .addKeyValue("uid", after.source().uid())
        .addKeyValue("user", after.writer())
        .log(
            "known invalid: wrote {}: {}, {} (uid {}){}, status written by {}: {}",
            after.key().objectName(),
            after.verdict(),
            after.source(),
            after.source().uid(),
            after.nodes().isEmpty() ? "" : " on " + Evidence.named(after.nodes(), MAX_NAMED_NODES),
            LogLimiter.line(after.writer()),
            LogLimiter.line(after.reason()));
    if (after.verdict() == Verdict.INVALID
        && (before == null || before.verdict() != Verdict.INVALID)) {
      learned.accept(after);
    }
    if (before == null && limited(after.key().guard()).count() > limits.entries()) {
      // The run continues with the sweep.
      nextSweep = System.nanoTime();
    }
  }

  /** Stores the first attempt of a configuration at once, further ones once a minute. */
  private void storeAttempts() {
    var now = System.nanoTime();
    nextAttemptWrites.values().removeIf(next -> now - next >= 0);
    var waiting = known.unwritten().size();
    Instant at = null;
    for (var key : known.pendingAttempts()) {
      var stored = known.stored(key);
      if (stored != null && !nextAttemptWrites.containsKey(key)) {
        if (known.unwritten().size() > waiting) {
          // A new failure is stored first; the next run goes on here.
          return;
        }
        nextAttemptWrites.put(key, now + COUNT_INTERVAL.toNanos());
        // By one clock, that of the API server: those of pods may differ.
        at = at == null ? serverTime.instant() : at;
        var attempts = known.takePendingAttempts(key).at(at);
        try {
          known.replaceIfUnchanged(key, stored, client.addAttempts(stored, attempts));
        } catch (KubernetesClientException e) {
          if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
            known.addAttempts(key, attempts);
            throw e;
          }
        }
      }
    }
  }

  /** Without those that a person cleared: if forgotten, the old status of an object would count. */
  private Stream<KnownInvalidConfiguration> limited(String guard) {
    return known
        .stored()
        .filter(each -> each.key().guard().equals(guard) && !each.isClearedByHand());
  }

  /** Whether it may be deleted: a configuration that is still being written is kept. */
  private boolean isExpired(KnownInvalidConfiguration one, Instant now) {
    var triedSince = now.minus(limits.keepAttempted());
    return !keptSince(one).isAfter(now.minus(limits.keep()))
        && !(one.isEffective() && one.attempts().lastAt().isAfter(triedSince));
  }

  /** Whether it would be deleted at once, as one that is reported again by an old status. */
  private boolean isOverLimit(KnownInvalidConfiguration one) {
    return limited(one.key().guard()).filter(each -> !usedAt(each).isBefore(usedAt(one))).count()
        >= limits.entries();
  }

  /** The last failure, or the clearing if later: until then older status reports must not count. */
  private static Instant keptSince(KnownInvalidConfiguration one) {
    return later(one.lastFailedAt(), one.clearedAt());
  }

  /** Or the last refusal if later: of more than may be kept, those that nobody writes go first. */
  private static Instant usedAt(KnownInvalidConfiguration one) {
    var since = keptSince(one);
    return one.isEffective() ? later(since, one.attempts().lastAt()) : since;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * Deletes expired ones of this release's guards, and for each guard those over the limit; returns
   * the last refusal.
   */
  private @Nullable KubernetesClientException sweep() {
    if (known.stored().findAny().isEmpty()) {
      return null;
    }
    var now = serverTime.instant();
    // One of the clocks is wrong, and a deletion cannot be undone.
    if (Duration.between(now, Instant.now()).abs().compareTo(MAX_CLOCK_DIFFERENCE) > 0) {
      throw new IllegalStateException(
          "the API server's clock has %s, which differs by more than a day from this node's clock"
              .formatted(now));
    }
    var reasons = new HashMap<KnownInvalidConfiguration, String>();
    known
        .stored()
        .map(each -> each.key().guard())
        .filter(known::hasGuard)
        .distinct()
        .forEach(
            guard -> {
              var configurations =
                  limited(guard)
                      .sorted(Comparator.comparing(KnownInvalidStore::usedAt).reversed())
                      .toList();
              for (var place = 0; place < configurations.size(); place++) {
                var each = configurations.get(place);
                if (place >= limits.entries() || isExpired(each, now)) {
                  reasons.put(
                      each, place >= limits.entries() ? "over the limit of its guard" : "expired");
                }
              }
            });
    return tryAll(reasons.entrySet(), each -> delete(each.getKey(), each.getValue()));
  }

  private static LoggingEventBuilder logEvent(KnownInvalidConfiguration about) {
    return logger
        .atInfo()
        .addKeyValue("object", about.key().objectName())
        .addKeyValue("guard", about.key().guard())
        .addKeyValue("config-hash", about.key().hash());
  }

  private void delete(KnownInvalidConfiguration old, String reason) {
    try {
      client.delete(old);
      known.replaceIfUnchanged(old.key(), old, null);
      logEvent(old)
          .log(
              "known invalid: deleted {}: {}, failed last at {}",
              old.key().objectName(),
              reason,
              old.lastFailedAt());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Applies the events of the watch. */
  private final class WatchHandler implements Reflector.Handler {
    @Override
    public void put(BoundedObject object) throws IOException {
      known.put(KnownInvalidResource.parse(object.tree()));
    }

    @Override
    public void remove(String name, String uid) {
      known
          .stored()
          .filter(each -> each.key().objectName().equals(name))
          .filter(each -> uid.isEmpty() || each.isStoredAs(uid))
          .toList()
          .forEach(known::remove);
    }

    @Override
    public Stream<String> keys() {
      return known.stored().map(each -> each.key().objectName());
    }
  }
}
