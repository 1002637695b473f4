package dev.shipshape.janitor;

import dev.shipshape.janitor.operator.Aftermath;
import dev.shipshape.janitor.operator.Diagnosis;
import dev.shipshape.janitor.operator.OperatorReport;
import dev.shipshape.janitor.operator.Refusal;
import dev.shipshape.janitor.operator.RestartOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The janitor's metrics: see docs/metrics.md. All are there from the start, at 0. */
final class JanitorMetrics {
  private static final List<String> DIAGNOSES =
      List.of("healthy", "failing", "recovered", "stuck", "unreadable");

  private final MeterRegistry registry;
  private final Meters meters;
  private final PruneMetrics prune;
  private final Map<String, Counter> checks = new LinkedHashMap<>();
  private final Counter detections;
  private final Map<String, Counter> restarts = new LinkedHashMap<>();
  private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
  private final Map<Aftermath, Counter> aftermaths = new EnumMap<>(Aftermath.class);
  private final AtomicLong lastCheck;

  JanitorMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.meters = new Meters(registry);
    this.prune = new PruneMetrics(registry);
    for (var diagnosis : DIAGNOSES) {
      checks.put(
          diagnosis,
          meters.counter("operator.checks", "Looks at the operator", "diagnosis", diagnosis));
    }
    detections =
        Counter.builder(Meters.PREFIX + "detections")
            .description("How often a stuck operator was newly found")
            .register(registry);
    restarts.put(
        "restarted", meters.counter("restarts", "Restarts by outcome", "outcome", "restarted"));
    restarts.put(
        "refused", meters.counter("restarts", "Restarts by outcome", "outcome", "refused"));
    for (var reason : Refusal.values()) {
      refusals.put(
          reason,
          meters.counter("restart.refusals", "Restarts refused by reason", "reason", reason));
    }
    for (var aftermath : Aftermath.values()) {
      aftermaths.put(
          aftermath,
          meters.counter("restart.aftermaths", "What restarts came to", "result", aftermath));
    }
    lastCheck = meters.gauge("operator.last.check.timestamp.seconds", "When the log was last read");
  }

  PruneMetrics prune() {
    return prune;
  }

  /** The settings: whether they could be used, and what they arm. */
  void settings(boolean valid, BooleanSupplier pruneArmed, BooleanSupplier restartArmed) {
    meters.gauge("settings.valid", "Whether the settings can be used").set(valid ? 1 : 0);
    armed("prune", pruneArmed);
    armed("restart", restartArmed);
  }

  private void armed(String task, BooleanSupplier armed) {
    Gauge.builder(Meters.PREFIX + "armed", () -> armed.getAsBoolean() ? 1 : 0)
        .description("What is armed, and has its rights")
        .tag("task", task)
        .register(registry);
  }

  void leader(BooleanSupplier leader) {
    Gauge.builder(Meters.PREFIX + "leader", () -> leader.getAsBoolean() ? 1 : 0)
        .description("Whether this replica leads")
        .register(registry);
  }

  void missingRights(String task, Supplier<Number> missing) {
    Gauge.builder(Meters.PREFIX + "rights.missing", missing)
        .description("Rights that a task lacks; it is idle until they are granted")
        .tag("task", task)
        .register(registry);
  }

  void checked(OperatorReport report, boolean wasStuck, Instant now) {
    Meters.count(checks, word(report.diagnosis()));
    if (!(report.diagnosis() instanceof Diagnosis.Unreadable)) {
      lastCheck.set(now.getEpochSecond());
    }
    if (report.diagnosis() instanceof Diagnosis.Stuck && !wasStuck) {
      detections.increment();
    }
    report.aftermath().map(aftermaths::get).ifPresent(Counter::increment);
    switch (report.restart()) {
      case RestartOutcome.NotNeeded _ -> {}
      case RestartOutcome.Restarted _ -> Meters.count(restarts, "restarted");
      case RestartOutcome.Refused refused -> {
        Meters.count(restarts, "refused");
        var counter = refusals.get(refused.reason());
        if (counter != null) {
          counter.increment();
        }
      }
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
}
