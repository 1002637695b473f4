package dev.shipshape.webhook.admission;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts and times calls. Every series exists from the start, at 0. */
public final class AdmissionMetrics {
  private static final Duration[] BUCKETS =
      IntStream.of(25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000)
          .mapToObj(tens -> Duration.ofNanos(tens * 10_000L))
          .toArray(Duration[]::new);

  /** Not "endpoint": the Prometheus operator adds a label with that name. */
  private static final String ENDPOINT_TAG = "entry";

  private final Meter.MeterProvider<Counter> calls;
  private final Meter.MeterProvider<Counter> refusals;
  private final Meter.MeterProvider<Timer> durations;

  public AdmissionMetrics(MeterRegistry registry) {
    calls =
        Counter.builder("shipshape.webhook.requests")
            .description("Calls of the API server, by decision.")
            .withRegistry(registry);
    refusals =
        Counter.builder("shipshape.webhook.refusals")
            .description("Rejected calls, by reason.")
            .withRegistry(registry);
    durations =
        Timer.builder("shipshape.webhook.request.duration")
            .description("From the request head to the response.")
            .serviceLevelObjectives(BUCKETS)
            .withRegistry(registry);
    for (var endpoint : Endpoint.values()) {
      for (var outcome : Reason.Outcome.values()) {
        var _ = calls(endpoint, null, outcome);
        for (var operation : Operation.values()) {
          var _ = calls(endpoint, operation, outcome);
        }
      }
      Stream.of(Reason.values())
          .filter(Reason::rejects)
          .forEach(reason -> refusals(endpoint, reason));
      var _ = duration(endpoint);
    }
  }

  /** The operation is null if the call could not be decoded. */
  void count(Endpoint endpoint, @Nullable Operation operation, Reason reason) {
    calls(endpoint, operation, reason.outcome()).increment();
    if (reason.rejects()) {
      refusals(endpoint, reason).increment();
    }
  }

  void recordDuration(Endpoint endpoint, Duration duration) {
    duration(endpoint).record(duration);
  }

  private Counter calls(Endpoint endpoint, @Nullable Operation operation, Reason.Outcome outcome) {
    var written = operation == null ? "unknown" : operation.name().toLowerCase(Locale.ROOT);
    var decision = outcome.name().toLowerCase(Locale.ROOT);
    return calls.withTags(
        ENDPOINT_TAG, endpoint.label(), "operation", written, "decision", decision);
  }

  private Counter refusals(Endpoint endpoint, Reason reason) {
    return refusals.withTags(ENDPOINT_TAG, endpoint.label(), "reason", reason.label());
  }

  private Timer duration(Endpoint endpoint) {
    return durations.withTag(ENDPOINT_TAG, endpoint.label());
  }
}
