package dev.shipshape.webhook;

import dev.shipshape.webhook.index.IndexFeed;
import dev.shipshape.webhook.validation.KnownInvalidLookup;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What is known for a guard, and how fresh it is, in figures. */
final class IndexGauges {
  private IndexGauges() {}

  static void register(MeterRegistry registry, IndexFeed feed, KnownInvalidLookup known) {
    var guard = feed.guard().name();
    Gauge.builder("shipshape.webhook.index.objects", feed, of -> of.index().size())
        .description("Objects that the index knows, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder("shipshape.webhook.index.known.invalid", feed, of -> known.size(of, false))
        .description("Configurations that are known invalid, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder("shipshape.webhook.index.suspected", feed, of -> known.size(of, true))
        .description(
            "Configurations that a revision calls invalid and no node's object does, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder(
            "shipshape.webhook.index.staleness", feed, of -> of.staleness().toMillis() / 1000.0)
        .baseUnit("seconds")
        .description("How long ago the index last followed the API server, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder("shipshape.webhook.index.synced", feed, of -> of.synced() ? 1 : 0)
        .description("1 once everything that exists has been listed, by guard.")
        .tag("guard", guard)
        .register(registry);
    Gauge.builder("shipshape.webhook.index.served", feed, of -> of.served() ? 1 : 0)
        .description("0 while the API server says that there is no such resource, by guard.")
        .tag("guard", guard)
        .register(registry);
  }
}
