package dev.shipshape.janitor;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.GovernorState;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartOutcome;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.RestartResult;
import dev.shipshape.janitor.restart.SignalState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The metrics of the operator's check: see docs/reference/metrics.md. All are there from the start,
 * at 0.
 */
final class OperatorMetrics {
  private static final List<String> DIAGNOSES =
      List.of("healthy", "failing", "recovered", "stuck", "unreadable");

  private final Meters meters;
  private final BooleanSupplier leads;
  private final Map<String, Counter> checks = new LinkedHashMap<>();
  private final Counter detections;
  private final Counter restarted;
  private final Counter refused;
  private final Map<RestartRefusal, Counter> refusals;
  private final Map<RestartResult, Counter> results;
  private final Counter silences;
  private final AtomicLong silent;
  private final Map<EventWriter.Result, Counter> events;
  private final AtomicLong lastCheck;
  private final AtomicLong waiting;
  private final AtomicLong longestWait;
  private volatile GovernorState governor = GovernorState.UNKNOWN;
  private final AtomicLong stuckSince;
  private final AtomicLong readable;
  private final Map<RestartRefusal, AtomicLong> refusedNow = new EnumMap<>(RestartRefusal.class);
  private volatile boolean stuck;

  /**
   * @param leads whether this replica leads: one that does not looks no more, so what it saw last
   *     holds no longer
   */
  OperatorMetrics(MeterRegistry registry, BooleanSupplier leads) {
    this.meters = new Meters(registry);
    this.leads = leads;
    for (var diagnosis : DIAGNOSES) {
      checks.put(
          diagnosis,
          meters.counter("operator.checks", "Looks at the operator", "diagnosis", diagnosis));
    }
    detections =
        Counter.builder(Meters.PREFIX + "detections")
            .description("How often a stuck operator was newly found")
            .register(registry);
    restarted = meters.counter("restarts", "Restarts by outcome", "outcome", "restarted");
    refused = meters.counter("restarts", "Restarts by outcome", "outcome", "refused");
    refusals = counters(RestartRefusal.class, "restart.refusals", "Restarts refused", "reason");
    results =
        counters(RestartResult.class, "restart.aftermaths", "What restarts came to", "result");
    silences = meters.counter("evidence", "How often evidence was new", "kind", "silence");
    silent =
        meters.gauge(leads, "evidence.present", "Whether there is evidence now", "kind", "silence");
    events = counters(EventWriter.Result.class, "events", "Kubernetes Events", "result");
    for (var state : GovernorState.values()) {
      Gauge.builder(Meters.PREFIX + "governor", () -> governor() == state ? 1 : 0)
          .description("What the governor would say to a restart: 1 for one state")
          .tag("state", Meters.written(state))
          .register(registry);
    }
    stuckSince =
        meters.gauge(
            leads,
            "operator.stuck.since.timestamp.seconds",
            "Since when the operator has been found stuck; 0 where it is not");
    readable = meters.gauge(leads, "operator.log.readable", "Whether its log could be read");
    for (var reason : RestartRefusal.values()) {
      refusedNow.put(
          reason,
          meters.gauge(
              leads, "restart.refused", "1 for why it is not restarted now", "reason", reason));
    }
    lastCheck = meters.gauge("operator.last.check.timestamp.seconds", "When the log was last read");
    waiting =
        meters.gauge(leads, "sessions.waiting", "Sessions that are not complete and have no Job");
    longestWait =
        meters.gauge(
            leads, "sessions.waiting.longest.seconds", "How long the oldest of them waits");
  }

  void checked(OperatorReport report, Instant now) {
    Objects.requireNonNull(checks.get(word(report.diagnosis()))).increment();
    // An unreadable log tells neither that it is stuck nor that it is so no longer.
    if (!(report.diagnosis() instanceof Diagnosis.Unreadable)) {
      lastCheck.set(now.getEpochSecond());
      var isStuck = report.diagnosis() instanceof Diagnosis.Stuck;
      if (isStuck && !stuck) {
        detections.increment();
        stuckSince.set(now.getEpochSecond());
      } else if (!isStuck) {
        stuckSince.set(0);
      }
      stuck = isStuck;
    }
    readable.set(report.diagnosis() instanceof Diagnosis.Unreadable ? 0 : 1);
    refusedNow.forEach((reason, gauge) -> gauge.set(report.isRefusedFor(reason) ? 1 : 0));
    governor = report.governor();
    stalled(report.stall());
    report
        .waiting()
        .ifPresent(
            sessions -> {
              waiting.set(sessions.count());
              longestWait.set(sessions.longest().toSeconds());
            });
    report.result().ifPresent(result -> count(results, result));
    switch (report.restart()) {
      case RestartOutcome.NotNeeded _ -> {}
      case RestartOutcome.Restarted _ -> restarted.increment();
      case RestartOutcome.Refused(RestartRefusal reason, _) -> {
        refused.increment();
        count(refusals, reason);
      }
    }
  }

  /** A check that broke off. */
  void brokenOff() {
    Objects.requireNonNull(checks.get("unreadable")).increment();
  }

  void event(EventWriter.Result result) {
    count(events, result);
  }

  private GovernorState governor() {
    return leads.getAsBoolean() ? governor : GovernorState.STANDBY;
  }

  private void stalled(SignalState stall) {
    switch (stall) {
      case SignalState.Present _ -> {
        if (silent.getAndSet(1) == 0) {
          silences.increment();
        }
      }
      case SignalState.Absent _ -> silent.set(0);
      // Not to know is neither.
      case SignalState.Unknown _ -> {}
    }
  }

  private static String word(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.Healthy _ -> "healthy";
      case Diagnosis.Failing _ -> "failing";
      case Diagnosis.Recovered _ -> "recovered";
      case Diagnosis.Stuck _ -> "stuck";
      case Diagnosis.Unreadable _ -> "unreadable";
    };
  }

  private static <E extends Enum<E>> void count(Map<E, Counter> counters, E key) {
    Objects.requireNonNull(counters.get(key), key::name).increment();
  }

  private <E extends Enum<E>> Map<E, Counter> counters(
      Class<E> type, String name, String description, String tag) {
    var counters = new EnumMap<E, Counter>(type);
    for (var constant : type.getEnumConstants()) {
      counters.put(constant, meters.counter(name, description, tag, constant));
    }
    return counters;
  }
}
