package dev.shipshape.plugin.release;

import dev.shipshape.plugin.release.Exposition.Sample;
import dev.shipshape.plugin.release.PodMetrics.Scrape;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The problems that servers report by a metric, for those who have no alerts. */
final class MetricProblems {
  private static final String EXPIRY = "shipshape_webhook_certificate_expiry_timestamp_seconds";

  private MetricProblems() {}

  /**
   * A problem.
   *
   * @param label of the metric, that the text names; empty if it names none
   * @param text with the pod's name as {@code %1$s} and the label's value as {@code %2$s}
   */
  private record Rule(String metric, String label, Predicate<Sample> isProblem, String text) {
    private Stream<String> problems(Scrape server) {
      return server.metrics().samples().stream()
          .filter(sample -> sample.name().equals(metric) && isProblem.test(sample))
          .map(sample -> text.formatted(server.pod(), sample.label(label)));
    }
  }

  /**
   * All of them, a line each.
   *
   * @param registered {@code validating} and {@code mutating}, if such a configuration exists and
   *     has a caBundle; that it has not is another problem
   */
  static List<String> of(PodMetrics servers, Instant now, Set<String> registered) {
    var rules =
        List.of(
            new Rule(
                EXPIRY,
                "certificate",
                end -> Double.isNaN(end.value()),
                "%1$s has no certificate to serve"),
            new Rule(
                EXPIRY,
                "certificate",
                end -> end.value() <= now.getEpochSecond(),
                "%1$s serves a certificate whose %2$s has ended: the webhook cannot be called"),
            new Rule(
                "shipshape_webhook_ca_bundle_matches",
                "configuration",
                matches ->
                    matches.value() == 0 && registered.contains(matches.label("configuration")),
                "%1$s serves a certificate that the %2$s configuration's caBundle does not trust:"
                    + " it cannot be called"));
    return servers.webhooks().stream()
        .flatMap(server -> rules.stream().flatMap(rule -> rule.problems(server)))
        .distinct()
        .toList();
  }
}
