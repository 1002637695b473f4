package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.PodMetrics.Scrape;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The problems of a release whose pods are all ready; one metric is otherwise in each test. */
class MetricProblemsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000_000);
  private static final Set<String> BOTH = Set.of("validating", "mutating");

  private static final String WEBHOOK =
      """
      shipshape_webhook_certificate_expiry_timestamp_seconds{certificate="leaf"} 1.005E9
      shipshape_webhook_ca_bundle_matches{configuration="validating"} 1.0
      shipshape_webhook_ca_bundle_matches{configuration="mutating"} 1.0
      """;

  @Test
  void serversThatAreWellHaveNone() {
    assertThat(problems(List.of(WEBHOOK))).isEmpty();
  }

  @Test
  void aCertificateThatHasEndedIsSaidThoughAnotherReplicaHasItsSuccessor() {
    var ended = WEBHOOK.replace("1.005E9", "9.99E8");

    assertThat(problems(List.of(WEBHOOK, ended)))
        .containsExactly(
            "pod-2 serves a certificate whose leaf has ended: the webhook cannot be called");
  }

  @Test
  void aWebhookWithoutACertificateIsSaid() {
    assertThat(problems(List.of(WEBHOOK.replace("1.005E9", "NaN"))))
        .containsExactly("pod-1 has no certificate to serve");
  }

  @Test
  void anAuthorityThatTheApiServerDoesNotTrustIsSaidUnlessItIsNotRegistered() {
    var untrusted = WEBHOOK.replace("\"mutating\"} 1.0", "\"mutating\"} 0.0");

    assertThat(problems(List.of(untrusted)))
        .containsExactly(
            "pod-1 serves a certificate that the mutating configuration's caBundle does not trust:"
                + " it cannot be called");
    assertThat(MetricProblems.of(metrics(List.of(untrusted)), NOW, Set.of())).isEmpty();
  }

  @Test
  void theFirstCertificateToEndIsTheOneThatIsShown() {
    var later = WEBHOOK.replace("1.005E9", "1.006E9");
    var none = WEBHOOK.replace("1.005E9", "NaN");

    assertThat(metrics(List.of(later, WEBHOOK, none)).firstExpiry())
        .hasValue(Instant.ofEpochSecond(1_005_000_000));
  }

  private static List<String> problems(List<String> webhooks) {
    return MetricProblems.of(metrics(webhooks), NOW, BOTH);
  }

  private static PodMetrics metrics(List<String> webhooks) {
    return new PodMetrics(scrapes(webhooks));
  }

  private static List<Scrape> scrapes(List<String> metrics) {
    return IntStream.range(0, metrics.size())
        .mapToObj(i -> new Scrape("pod-" + (i + 1), Exposition.parse(metrics.get(i))))
        .toList();
  }
}
