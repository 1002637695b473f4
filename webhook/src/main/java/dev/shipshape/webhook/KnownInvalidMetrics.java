package dev.shipshape.webhook;

import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.index.Reflector;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.Verdict;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What is known for each guard, and how fresh it is, in figures. */
final class KnownInvalidMetrics {
  private final MeterRegistry registry;

  private KnownInvalidMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  static void register(
      MeterRegistry registry, List<Guard> guards, KnownInvalid known, Informers informers) {
    var metrics = new KnownInvalidMetrics(registry);
    for (var guard : guards) {
      var reflector = informers.of(guard);
      if (reflector != null) {
        metrics.index(guard, known, reflector);
      }
      for (var verdict : guard.stampsOnly() ? new Verdict[0] : Verdict.values()) {
        Gauge.builder(
                "shipshape.webhook.known.invalid.configurations",
                known,
                model -> model.count(guard, verdict))
            .description("KnownInvalidConfigurations, by guard and verdict.")
            .tag("guard", guard.name())
            .tag("verdict", verdict.toString().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
    Gauge.builder("shipshape.webhook.known.invalid.unwritten", known, KnownInvalid::unwrittenSize)
        .description("Configurations that wait to be written as KnownInvalidConfigurations.")
        .register(registry);
  }

  private void index(Guard guard, KnownInvalid known, Reflector reflector) {
    gauge(
        guard,
        "objects",
        "Objects that the index knows, by guard.",
        known,
        model -> model.keys(guard).size());
    gauge(
        guard,
        "known.invalid",
        "Configurations that are known invalid, by guard.",
        known,
        model -> model.count(guard, false));
    gauge(
        guard,
        "suspected",
        "Configurations that a revision calls invalid and no node's object does, by guard.",
        known,
        model -> model.count(guard, true));
    gauge(
        guard,
        "staleness.seconds",
        "How long ago the index last followed the API server, by guard.",
        reflector,
        watch -> watch.staleness().toNanos() / 1e9);
    gauge(
        guard,
        "synced",
        "1 once everything that exists has been listed, by guard.",
        reflector,
        watch -> watch.synced() ? 1 : 0);
    gauge(
        guard,
        "served",
        "0 while the API server says that there is no such resource, by guard.",
        reflector,
        watch -> watch.served() ? 1 : 0);
  }

  private <T> void gauge(
      Guard guard, String name, String description, T of, ToDoubleFunction<T> value) {
    Gauge.builder("shipshape.webhook.index." + name, of, value)
        .description(description)
        .tag("guard", guard.name())
        .register(registry);
  }
}
