package dev.shipshape.webhook;

import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.store.KnownInvalidStore;
import dev.shipshape.webhook.store.Verdict;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;

/** What the KnownInvalidConfigurations are, in figures. */
final class StoreMetrics {
  private StoreMetrics() {}

  static void register(MeterRegistry registry, List<Guard> guards, KnownInvalidStore store) {
    for (var guard : guards.stream().filter(each -> !each.stampsOnly()).toList()) {
      for (var verdict : Verdict.values()) {
        Gauge.builder(
                "shipshape.webhook.known.invalid.configurations",
                store,
                of -> of.count(guard.name(), verdict))
            .description("KnownInvalidConfigurations, by guard and verdict.")
            .tag("guard", guard.name())
            .tag("verdict", verdict.toString().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
    Gauge.builder("shipshape.webhook.known.invalid.unwritten", store, KnownInvalidStore::unwritten)
        .description("Configurations that wait to be written as KnownInvalidConfigurations.")
        .register(registry);
  }
}
