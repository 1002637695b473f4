package dev.shipshape.webhook;

import dev.shipshape.webhook.review.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts and times calls. Every series exists from the start, at 0. */
final class AdmissionMetrics {
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

  private record Call(Entry entry, String operation, Outcome outcome) {}

  private record Refused(Entry entry, Refusal refusal) {}

  private final Map<Call, Counter> calls = new HashMap<>();
  private final Map<Refused, Counter> refusals = new HashMap<>();
  private final Map<Entry, Timer> durations = new EnumMap<>(Entry.class);

  /** What it does, which the settings may say otherwise by now. */
  static void register(MeterRegistry registry, Mode mode) {
    Gauge.builder("shipshape.webhook.armed", mode, of -> of == Mode.ENFORCE ? 1 : 0)
        .description("1 where what is known invalid is refused; 0: it is only warned of.")
        .register(registry);
  }

  AdmissionMetrics(MeterRegistry registry) {
    for (var entry : Entry.values()) {
      for (var outcome : Outcome.values()) {
        for (var operation : Operation.values()) {
          register(registry, new Call(entry, label(operation), outcome));
        }
        register(registry, new Call(entry, label(null), outcome));
      }
      for (var refusal : Refusal.values()) {
        refusals.put(
            new Refused(entry, refusal),
            Counter.builder("shipshape.webhook.refusals")
                .description("Calls that were not let through, by reason.")
                .tag("entry", entry.label())
                .tag("reason", refusal.label())
                .register(registry));
      }
      durations.put(entry, timer(registry, entry));
    }
  }

  /**
   * Counts a call.
   *
   * @param operation null where the call could not be read
   */
  void counted(Entry entry, @Nullable Operation operation, Outcome outcome) {
    of(calls, new Call(entry, label(operation), outcome)).increment();
  }

  void refused(Entry entry, Refusal refusal) {
    of(refusals, new Refused(entry, refusal)).increment();
  }

  void took(Entry entry, Duration duration) {
    of(durations, entry).record(duration);
  }

  private void register(MeterRegistry registry, Call call) {
    calls.put(
        call,
        Counter.builder("shipshape.webhook.requests")
            .description("Calls of the API server, by what became of them.")
            .tag("entry", call.entry().label())
            .tag("operation", call.operation())
            .tag("decision", call.outcome().label())
            .register(registry));
  }

  private static Timer timer(MeterRegistry registry, Entry entry) {
    return Timer.builder("shipshape.webhook.request.duration")
        .description("From a call's head to its answer.")
        .tag("entry", entry.label())
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
