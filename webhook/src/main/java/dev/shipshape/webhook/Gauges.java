package dev.shipshape.webhook;

import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.webhook.certificate.WebhookConfigurations;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.Verdict;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** Gauges of each guard and of the served certificate. */
final class Gauges {
  private Gauges() {}

  /** Registers the index of each guard, its freshness, and whether the guard is armed. */
  static void registerGuards(
      MeterRegistry registry,
      List<Guard> guards,
      KnownInvalid known,
      Watches watches,
      WebhookConfigurations configurations) {
    for (var guard : guards) {
      var gauges = new ArrayList<Gauge.Builder<Supplier<Number>>>();
      var watch = watches.watch(guard);
      if (watch != null) {
        gauges.add(
            gauge("index.objects", () -> known.keys(guard).size())
                .description("Objects in the index, by guard."));
        gauges.add(
            gauge("index.stale.hashes", () -> known.countStaleHashes(guard))
                .description(
                    "Objects whose hash annotation is stale, because they were written while the"
                        + " webhook was not called, by guard."));
        gauges.add(
            gauge("index.known.invalid", () -> known.countInvalid(guard))
                .description("Configurations that are known invalid, by guard."));
        gauges.add(
            gauge("index.staleness.seconds", () -> watch.staleness().toNanos() / 1e9)
                .description("Time since the index last followed the API server, by guard."));
        gauges.add(
            gauge("index.synced", () -> watch.isSynced() ? 1 : 0)
                .description("1 after the first complete list, by guard."));
        gauges.add(
            gauge("index.served", () -> watch.isServed() ? 1 : 0)
                .description("0 while the API server does not serve the resource, by guard."));
        gauges.add(
            gauge("index.version.gone", () -> watch.isServedInOtherVersion() ? 1 : 0)
                .description(
                    "1 while the API server serves the resource, but not in the guard's version,"
                        + " by guard."));
      }
      if (!guard.stampOnly()) {
        gauges.add(
            gauge("objects.known.invalid", () -> known.countHolders(guard))
                .description("Objects with a configuration that is known invalid, by guard."));
        var resource = guard.resource();
        gauges.add(
            gauge(
                    "armed",
                    () ->
                        configurations
                            .arms(resource.group(), resource.plural())
                            .map(is -> is ? 1.0 : 0.0)
                            .orElse(Double.NaN))
                .description(
                    "1 if known invalid configurations are refused, NaN if not known, by guard."));
        for (var verdict : Verdict.values()) {
          gauges.add(
              gauge("known.invalid.configurations", () -> known.count(guard, verdict))
                  .description("KnownInvalidConfigurations, by guard and verdict.")
                  .tag("verdict", verdict.toString().toLowerCase(Locale.ROOT)));
        }
      }
      gauges.forEach(gauge -> gauge.tag("guard", guard.name()).register(registry));
    }
  }

  /** Registers the validity of the served certificate and its authority. */
  static void registerCertificate(MeterRegistry registry, Supplier<ServingCertificate> served) {
    time(registry, served, "start", "leaf", ServingCertificate::notBefore);
    time(registry, served, "start", "authority", ServingCertificate::authorityNotBefore);
    time(registry, served, "expiry", "leaf", one -> one.pair().notAfter());
    time(registry, served, "expiry", "authority", ServingCertificate::authorityNotAfter);
  }

  private static void time(
      MeterRegistry registry,
      Supplier<ServingCertificate> served,
      String what,
      String certificate,
      Function<ServingCertificate, Instant> time) {
    gauge(
            "certificate." + what + ".timestamp",
            // NaN while the placeholder certificate is served, whose times have no meaning.
            () ->
                served.get().isPlaceholder()
                    ? Double.NaN
                    : time.apply(served.get()).getEpochSecond())
        .baseUnit("seconds")
        .description("Validity of the served certificate and its authority.")
        .tag("certificate", certificate)
        .register(registry);
  }

  private static Gauge.Builder<Supplier<Number>> gauge(String name, Supplier<Number> value) {
    return Gauge.builder("shipshape.webhook." + name, value);
  }
}
