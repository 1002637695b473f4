package dev.shipshape.webhook;

import dev.shipshape.webhook.certificate.WebhookConfigurations;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.Verdict;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What is known for each guard, how fresh it is, and whether it is refused, in figures. */
final class KnownInvalidMetrics {
  private KnownInvalidMetrics() {}

  static void register(
      MeterRegistry registry,
      List<Guard> guards,
      KnownInvalid known,
      Informers informers,
      WebhookConfigurations configurations) {
    for (var guard : guards) {
      var watch = informers.of(guard);
      if (watch != null) {
        index("objects", () -> known.keys(guard).size())
            .description("Objects that the index knows, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("stale.hashes", () -> known.countStampedOtherwise(guard))
            .description(
                "Objects whose hash annotation is of another content, as they were written while"
                    + " the webhook was not asked, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("known.invalid", () -> known.count(guard, false))
            .description("Configurations that are known invalid, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("suspected", () -> known.count(guard, true))
            .description(
                "Configurations that a revision or a record calls invalid and no node's object"
                    + " bears out, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("staleness.seconds", () -> watch.staleness().toNanos() / 1e9)
            .description("How long ago the index last followed the API server, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("synced", () -> watch.synced() ? 1 : 0)
            .description("1 once everything that exists has been listed, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("served", () -> watch.served() ? 1 : 0)
            .description("0 while the API server says that there is no such resource, by guard.")
            .tag("guard", guard.name())
            .register(registry);
        index("version.gone", () -> watch.servedOtherwise() ? 1 : 0)
            .description(
                "1 while the API server serves the resource, but not in the guard's version, by"
                    + " guard.")
            .tag("guard", guard.name())
            .register(registry);
      }
      if (watch != null && !guard.stampsOnly()) {
        Gauge.builder("shipshape.webhook.objects.known.invalid", () -> known.countHolders(guard))
            .description("Objects that hold a configuration that is known invalid, by guard.")
            .tag("guard", guard.name())
            .register(registry);
      }
      if (!guard.stampsOnly()) {
        var resource = guard.resource();
        Gauge.builder(
                "shipshape.webhook.armed",
                () -> configurations.arms(resource.group(), resource.plural()) ? 1 : 0)
            .description("1 where the API server has writes refused that are known invalid.")
            .tag("guard", guard.name())
            .register(registry);
      }
      for (var verdict : guard.stampsOnly() ? List.<Verdict>of() : List.of(Verdict.values())) {
        Gauge.builder(
                "shipshape.webhook.known.invalid.configurations", () -> known.count(guard, verdict))
            .description("KnownInvalidConfigurations, by guard and verdict.")
            .tag("guard", guard.name())
            .tag("verdict", verdict.toString().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
    Gauge.builder("shipshape.webhook.known.invalid.unwritten", known::unwrittenSize)
        .description("Configurations that wait to be written as KnownInvalidConfigurations.")
        .register(registry);
  }

  private static Gauge.Builder<Supplier<Number>> index(String name, Supplier<Number> value) {
    return Gauge.builder("shipshape.webhook.index." + name, value);
  }
}
