package dev.shipshape.janitor;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The janitor's metrics: see docs/reference/metrics.md. All are there from the start, at 0. */
final class JanitorMetrics {
  private final MeterRegistry registry;
  private final Meters meters;
  private final PruneMetrics prune;

  JanitorMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.meters = new Meters(registry);
    this.prune = new PruneMetrics(registry);
  }

  PruneMetrics prune() {
    return prune;
  }

  /** The settings: whether they could be used, and what they arm. */
  void settings(boolean valid, boolean pruneArmed, boolean restartArmed) {
    meters.gauge("settings.valid", "Whether the settings can be used").set(valid ? 1 : 0);
    armed("prune", pruneArmed);
    armed("restart", restartArmed);
  }

  /** When pruning is due, by the schedule of a replica that has led since then. */
  void due(Schedule schedule, Supplier<Optional<Instant>> leading) {
    prune.due(registry, after -> schedule.next(1, after).stream().findFirst(), leading);
  }

  /** One that does not lead. */
  void idle() {
    settings(false, false, false);
    leader(() -> false);
    prune.due(registry, _ -> Optional.empty(), Optional::empty);
  }

  private void armed(String task, boolean armed) {
    meters.gauge("armed", "What is armed", "task", task).set(armed ? 1 : 0);
  }

  void leader(BooleanSupplier leader) {
    Gauge.builder(Meters.PREFIX + "leader", () -> leader.getAsBoolean() ? 1 : 0)
        .description("Whether this replica leads")
        .register(registry);
  }
}
