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

  private static final String JANITOR =
      """
      shipshape_janitor_settings_valid 1.0
      shipshape_janitor_leader 1.0
      """;

  @Test
  void serversThatAreWellHaveNone() {
    assertThat(problems(List.of(WEBHOOK), List.of(JANITOR))).isEmpty();
  }

  @Test
  void aCertificateThatHasEndedIsSaidThoughAnotherReplicaHasItsSuccessor() {
    var ended = WEBHOOK.replace("1.005E9", "9.99E8");

    assertThat(problems(List.of(WEBHOOK, ended), List.of(JANITOR)))
        .containsExactly(
            "pod-2 serves a certificate whose leaf has ended: the webhook cannot be called");
  }

  @Test
  void aWebhookWithoutACertificateIsSaid() {
    assertThat(problems(List.of(WEBHOOK.replace("1.005E9", "NaN")), List.of()))
        .containsExactly("pod-1 has no certificate to serve");
  }

  @Test
  void anAuthorityThatTheApiServerDoesNotTrustIsSaidUnlessItIsNotRegistered() {
    var untrusted = WEBHOOK.replace("\"mutating\"} 1.0", "\"mutating\"} 0.0");

    assertThat(problems(List.of(untrusted), List.of()))
        .containsExactly(
            "pod-1 serves a certificate that the mutating configuration's caBundle does not trust:"
                + " it cannot be called");
    assertThat(MetricProblems.of(metrics(List.of(untrusted), List.of()), NOW, Set.of())).isEmpty();
  }

  @Test
  void aJanitorThatCannotUseItsSettingsIsSaid() {
    assertThat(problems(List.of(), List.of(JANITOR.replace("valid 1.0", "valid 0.0"))))
        .containsExactly("pod-1's janitor is idle; its log says why, in the line with \"idle\"");
  }

  @Test
  void theFirstCertificateToEndIsTheOneThatIsShown() {
    var later = WEBHOOK.replace("1.005E9", "1.006E9");
    var none = WEBHOOK.replace("1.005E9", "NaN");

    assertThat(metrics(List.of(later, WEBHOOK, none), List.of()).firstExpiry())
        .hasValue(Instant.ofEpochSecond(1_005_000_000));
  }

  @Test
  void aRunThatOnlyReportsIsNoPrune() {
    var reported =
        JANITOR
            + """
            shipshape_janitor_prune_last_success_timestamp_seconds 9.9999E8
            shipshape_janitor_prune_runs_total{ending="reported"} 3.0
            shipshape_janitor_prune_runs_total{ending="done"} 0.0
            """;
    var done = reported.replace("} 3.0", "} 0.0").replace("done\"} 0.0", "done\"} 1.0");

    assertThat(metrics(List.of(), List.of(reported)).lastPrune()).isEmpty();
    assertThat(metrics(List.of(), List.of(reported)).lastReport())
        .hasValue(Instant.ofEpochSecond(999_990_000));
    assertThat(metrics(List.of(), List.of(done, JANITOR)).lastPrune())
        .hasValue(Instant.ofEpochSecond(999_990_000));
    assertThat(metrics(List.of(), List.of(done)).lastReport()).isEmpty();
  }

  private static List<String> problems(List<String> webhooks, List<String> janitors) {
    return MetricProblems.of(metrics(webhooks, janitors), NOW, BOTH);
  }

  private static PodMetrics metrics(List<String> webhooks, List<String> janitors) {
    return new PodMetrics(List.of("pod-1"), scrapes(webhooks), scrapes(janitors));
  }

  private static List<Scrape> scrapes(List<String> metrics) {
    return IntStream.range(0, metrics.size())
        .mapToObj(i -> new Scrape("pod-" + (i + 1), Exposition.parse(metrics.get(i))))
        .toList();
  }
}
