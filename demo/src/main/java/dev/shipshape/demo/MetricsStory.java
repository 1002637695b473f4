package dev.shipshape.demo;

import dev.shipshape.plugin.release.Console;
import java.util.ArrayList;
import java.util.List;

/** What Prometheus would have seen of all this. */
final class MetricsStory {
  private final Console console;
  private final Checks checks;
  private final DemoWebhook webhook;
  private final DemoJanitor janitor;

  MetricsStory(Console console, Checks checks, DemoWebhook webhook, DemoJanitor janitor) {
    this.console = console;
    this.checks = checks;
    this.webhook = webhook;
    this.janitor = janitor;
  }

  void tell() {
    console.heading("10. What Prometheus sees");
    var samples = samples(webhook.metrics());
    samples.addAll(samples(janitor.metrics()));
    samples.forEach(console::result);
    checks.expect(
        samples.stream().anyMatch(s -> s.contains("decision=\"denied\"") && s.endsWith(" 1.0")),
        "one denial counted");
    checks.expect(
        samples.contains("shipshape_janitor_deletions_total{result=\"gone\"} 80.0"),
        "eighty pruned sessions counted");
  }

  /** Our samples that say something; the many that are still 0 are left out. */
  private static List<String> samples(String exposition) {
    return new ArrayList<>(
        exposition
            .lines()
            .filter(line -> line.startsWith("shipshape_"))
            .filter(line -> !line.contains("_bucket{") && !line.endsWith(" 0.0"))
            .toList());
  }
}
