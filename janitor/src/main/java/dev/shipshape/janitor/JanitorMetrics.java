package dev.shipshape.janitor;

import dev.shipshape.janitor.prune.Census;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The janitor's metrics: see docs/metrics.md. All are there from the start, at 0. */
final class JanitorMetrics {
  private static final String PREFIX = "shipshape.janitor.";
  private static final List<String> RESULTS =
      List.of("gone", "already-gone", "replaced", "changed", "remaining", "failed", "not-tried");

  private final MeterRegistry registry;
  private final Map<String, Counter> runs = new LinkedHashMap<>();
  private final Map<String, Counter> deletions = new LinkedHashMap<>();
  private final Map<Census.Cell, AtomicLong> sessions = new LinkedHashMap<>();
  private final Map<Verdict.Reason, AtomicLong> kept = new EnumMap<>(Verdict.Reason.class);
  private final AtomicLong eligible;
  private final AtomicLong lastPrune;
  private final Timer runTime;

  JanitorMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (var ending : PruneReport.Ending.values()) {
      runs.put(written(ending), counter("prune.runs", "Runs of the pruner", "ending", ending));
    }
    runs.put("failed", counter("prune.runs", "Runs of the pruner", "ending", "failed"));
    for (var result : RESULTS) {
      deletions.put(result, counter("deletions", "Planned deletions by result", "result", result));
    }
    for (var state : Census.State.values()) {
      for (var age : Census.Age.values()) {
        var gauge =
            Gauge.builder(PREFIX + "sessions", cell(new Census.Cell(state, age)), AtomicLong::get)
                .description("Sessions at the last run of the pruner");
        gauge.tag("state", written(state)).tag("age", written(age)).register(registry);
      }
    }
    for (var reason : Verdict.Reason.values()) {
      kept.put(reason, gauge("sessions.kept", "Sessions kept at the last run", "reason", reason));
    }
    eligible = gauge("sessions.eligible", "Sessions that the rules choose at the last run");
    lastPrune = gauge("prune.last.success.timestamp.seconds", "When a run last ended well");
    runTime =
        Timer.builder(PREFIX + "prune.run")
            .description("How long runs of the pruner take")
            .register(registry);
  }

  /** The settings: whether they could be used, and what they arm. */
  void settings(boolean valid, BooleanSupplier pruneArmed, BooleanSupplier restartArmed) {
    gauge("settings.valid", "Whether the settings can be used").set(valid ? 1 : 0);
    armed("prune", pruneArmed);
    armed("restart", restartArmed);
  }

  private void armed(String task, BooleanSupplier armed) {
    Gauge.builder(PREFIX + "armed", () -> armed.getAsBoolean() ? 1 : 0)
        .description("What is armed, and has its rights")
        .tag("task", task)
        .register(registry);
  }

  void leader(BooleanSupplier leader) {
    Gauge.builder(PREFIX + "leader", () -> leader.getAsBoolean() ? 1 : 0)
        .description("Whether this replica leads")
        .register(registry);
  }

  void missingRights(String task, Supplier<Number> missing) {
    Gauge.builder(PREFIX + "rights.missing", missing)
        .description("Rights that a task lacks; it is idle until they are granted")
        .tag("task", task)
        .register(registry);
  }

  void pruned(PruneReport report, Instant now) {
    count(runs, written(report.ending()));
    runTime.record(report.took());
    for (var deletion : report.deletions()) {
      count(deletions, deletion.outcome().word());
    }
    var plan = report.plan();
    sessions.forEach((cell, value) -> value.set(plan.census().cells().getOrDefault(cell, 0)));
    kept.forEach((reason, value) -> value.set(plan.census().kept().getOrDefault(reason, 0)));
    eligible.set(plan.eligible());
    if (isGood(report)) {
      lastPrune.set(now.getEpochSecond());
    }
  }

  void pruneFailed(Duration took) {
    count(runs, "failed");
    runTime.record(took);
  }

  /** A run that left anything behind is no success: the alert on its absence must fire. */
  private static boolean isGood(PruneReport report) {
    return switch (report.ending()) {
      case REPORTED -> true;
      case DONE ->
          report.deletions().stream()
              .allMatch(
                  deletion -> !List.of("failed", "remaining").contains(deletion.outcome().word()));
      case STOPPED, INTERRUPTED -> false;
    };
  }

  private static void count(Map<String, Counter> counters, String key) {
    var counter = counters.get(key);
    if (counter == null) {
      throw new IllegalStateException("no counter is registered for " + key);
    }
    counter.increment();
  }

  private AtomicLong cell(Census.Cell cell) {
    return sessions.computeIfAbsent(cell, _ -> new AtomicLong());
  }

  private Counter counter(String name, String description, String tag, Object value) {
    return Counter.builder(PREFIX + name)
        .description(description)
        .tag(tag, written(value))
        .register(registry);
  }

  private AtomicLong gauge(String name, String description, Object... tag) {
    var value = new AtomicLong();
    var gauge = Gauge.builder(PREFIX + name, value, AtomicLong::get).description(description);
    if (tag.length > 0) {
      gauge.tag(written(tag[0]), written(tag[1]));
    }
    gauge.strongReference(true).register(registry);
    return value;
  }

  private static String written(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
