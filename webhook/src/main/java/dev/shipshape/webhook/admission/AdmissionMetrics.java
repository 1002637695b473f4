package dev.shipshape.webhook.admission;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts and times calls. Every series exists from the start, at 0. */
public final class AdmissionMetrics {
  private static final Duration[] BUCKETS = {
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1)
  };

  private record Call(Endpoint endpoint, String operation, Reason.Decision decision) {}

  private record Refusal(Endpoint endpoint, Reason reason) {}

  private final Map<Call, Counter> calls = new HashMap<>();
  private final Map<Refusal, Counter> refusals = new HashMap<>();
  private final Map<Endpoint, Timer> durations = new EnumMap<>(Endpoint.class);

  /** Registers all series. */
  public AdmissionMetrics(MeterRegistry registry) {
    for (var endpoint : Endpoint.values()) {
      for (var decision : Reason.Decision.values()) {
        for (var operation : Operation.values()) {
          register(registry, new Call(endpoint, label(operation), decision));
        }
        register(registry, new Call(endpoint, label(null), decision));
      }
      for (var reason : Reason.values()) {
        if (reason.rejects()) {
          register(registry, new Refusal(endpoint, reason));
        }
      }
      durations.put(endpoint, timer(registry, endpoint));
    }
  }

  /**
   * Counts a call.
   *
   * @param operation null where the call could not be read
   */
  void counted(Endpoint endpoint, @Nullable Operation operation, Reason reason) {
    of(calls, new Call(endpoint, label(operation), reason.decision())).increment();
    if (reason.rejects()) {
      of(refusals, new Refusal(endpoint, reason)).increment();
    }
  }

  void took(Endpoint endpoint, Duration duration) {
    of(durations, endpoint).record(duration);
  }

  private void register(MeterRegistry registry, Call call) {
    calls.put(
        call,
        Counter.builder("shipshape.webhook.requests")
            .description("Calls of the API server, by what became of them.")
            .tag("entry", call.endpoint().label())
            .tag("operation", call.operation())
            .tag("decision", call.decision().label())
            .register(registry));
  }

  private void register(MeterRegistry registry, Refusal refusal) {
    refusals.put(
        refusal,
        Counter.builder("shipshape.webhook.refusals")
            .description("Calls that were not let through, by reason.")
            .tag("entry", refusal.endpoint().label())
            .tag("reason", refusal.reason().label())
            .register(registry));
  }

  private static Timer timer(MeterRegistry registry, Endpoint endpoint) {
    return Timer.builder("shipshape.webhook.request.duration")
        .description("From a call's head to its answer.")
        .tag("entry", endpoint.label())
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  private static String label(@Nullable Operation operation) {
    return operation == null ? "unknown" : operation.name().toLowerCase(Locale.ROOT);
  }

  private static <K, V> V of(Map<K, V> meters, K key) {
    var meter = meters.get(key);
    if (meter == null) {
      throw new IllegalStateException("not registered: " + key);
    }
    return meter;
  }
}
