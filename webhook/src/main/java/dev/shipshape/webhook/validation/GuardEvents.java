package dev.shipshape.webhook.validation;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.ResponseListener;
import dev.shipshape.webhook.index.Guards;
import dev.shipshape.webhook.store.KnownInvalidConfiguration;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what became known invalid, and refusals, by Kubernetes Events on the objects, so that
 * whoever looks at a node's configuration sees why it does not change. On a thread of its own: an
 * answer neither waits for an Event nor fails with one, and what does not fit into the queue is
 * dropped.
 */
public final class GuardEvents implements ResponseListener, AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(GuardEvents.class);

  private static final int QUEUE = 256;
  private static final long CLOSE_MILLIS = 2_000;

  /** What became of one. */
  private enum Result {
    WRITTEN,
    /** Told of the same object not long ago, or too many of all. */
    LIMITED,
    /** The queue was full. */
    DROPPED,
    FAILED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Guards guards;
  private final EventRecorder sink;
  private final EventRateLimiter rate;
  private final Map<Result, Counter> counters = new EnumMap<>(Result.class);
  private final BlockingQueue<GuardEvent> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Thread thread;

  private GuardEvents(Guards guards, EventRecorder sink, Duration every, MeterRegistry registry) {
    this.guards = guards;
    this.sink = sink;
    this.rate = new EventRateLimiter(every, System.nanoTime());
    for (var result : Result.values()) {
      counters.put(result, counter(registry, result));
    }
    this.thread = Thread.ofPlatform().name("events").daemon(true).unstarted(this::writeAll);
  }

  /**
   * Begins to write.
   *
   * @param every minimum interval between Events for the same object
   */
  public static GuardEvents start(
      Guards guards, EventRecorder sink, Duration every, MeterRegistry registry) {
    var events = new GuardEvents(guards, sink, every, registry);
    events.thread.start();
    return events;
  }

  @Override
  public void responded(AdmissionRequest request, AdmissionResponse response) {
    var guarded = guards.of(request.resource().toString());
    if (guarded == null) {
      return;
    }
    GuardEvent.of(guarded.guard().resource(), request, response)
        .filter(incident -> !incident.name().isEmpty())
        .filter(incident -> !queue.offer(incident))
        .ifPresent(dropped -> count(Result.DROPPED));
  }

  /** A configuration is known invalid from now on. */
  public void learned(KnownInvalidConfiguration known) {
    guards
        .named(known.key().guard())
        .map(guarded -> GuardEvent.of(guarded.guard().resource(), known))
        .filter(incident -> !queue.offer(incident))
        .ifPresent(dropped -> count(Result.DROPPED));
  }

  private void writeAll() {
    try {
      while (true) {
        write(queue.take());
      }
    } catch (InterruptedException e) {
      // Closed.
      Thread.currentThread().interrupt();
    }
  }

  private void write(GuardEvent incident) {
    if (!rate.allows(incident.object(), System.nanoTime())) {
      count(Result.LIMITED);
      return;
    }
    try {
      sink.write(incident);
      count(Result.WRITTEN);
    } catch (RuntimeException e) {
      count(Result.FAILED);
      logger.warn(
          "could not write an Event about {}: {}{}",
          incident.object(),
          e instanceof KubernetesClientException failed && failed.getStatus() != null
              ? failed.getStatus().getMessage()
              : e.getMessage(),
          e instanceof KubernetesClientException failure && failure.getCode() == 403
              ? " (grant the verb create on events in the group events.k8s.io)"
              : "");
    }
  }

  /** Ends soon, with what is being written; what waits is dropped. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void count(Result result) {
    Objects.requireNonNull(counters.get(result), "not registered").increment();
  }

  private static Counter counter(MeterRegistry registry, Result result) {
    return Counter.builder("shipshape.webhook.events")
        .description("Events about refused configurations, by what became of them.")
        .tag("result", result.label())
        .register(registry);
  }
}
