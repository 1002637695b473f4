package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WebhookMetricsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000_000);
  private static final Set<String> REGISTERED = Set.of("validating", "mutating");

  private static final String METRICS =
      """
      # HELP shipshape_webhook_index_objects Objects.
      shipshape_webhook_index_objects{guard="a b"} 3.0
      shipshape_webhook_index_objects{guard="c"} 4
      shipshape_webhook_index_objects_more 100
      shipshape_webhook_index_staleness_seconds +Inf
      nonsense
      shipshape_webhook_certificate_expiry_timestamp_seconds{certificate="leaf"} 1.005E9
      shipshape_webhook_ca_bundle_matches{configuration="validating"} 1.0
      shipshape_webhook_ca_bundle_matches{configuration="mutating"} 1.0
      """;

  @Test
  void samplesAreReadByTheirNameWhateverTheirLabels() {
    var metrics = WebhookMetrics.parse("pod", METRICS);

    assertThat(metrics.values("shipshape_webhook_index_objects").sum()).isEqualTo(7);
    assertThat(metrics.values("shipshape_webhook_index_staleness_seconds").max().orElse(0))
        .isInfinite();
    assertThat(metrics.values("shipshape_webhook_index")).isEmpty();
    assertThat(metrics.expiry()).hasValue(Instant.ofEpochSecond(1_005_000_000));
  }

  @Test
  void aReplicaThatCanBeCalledHasNoProblem() {
    assertThat(WebhookMetrics.parse("pod", METRICS).problems(NOW, REGISTERED)).isEmpty();
    assertThat(WebhookMetrics.parse("pod", "").problems(NOW, REGISTERED)).isEmpty();
  }

  @Test
  void aCertificateThatHasExpiredOrIsMissingIsAProblem() {
    assertThat(changed("1.005E9", "9.99E8").problems(NOW, REGISTERED))
        .containsExactly(
            "pod serves a certificate whose leaf has expired: the webhook cannot be called");
    assertThat(changed("1.005E9", "NaN").problems(NOW, REGISTERED))
        .containsExactly("pod has no certificate to serve");
  }

  @Test
  void anAuthorityThatTheApiServerDoesNotTrustIsAProblemIfItIsRegistered() {
    var untrusted = changed("\"mutating\"} 1.0", "\"mutating\"} 0.0");

    assertThat(untrusted.problems(NOW, REGISTERED))
        .containsExactly(
            "pod serves a certificate that the mutating configuration's caBundle does not trust:"
                + " it cannot be called");
    assertThat(untrusted.problems(NOW, Set.of())).isEmpty();
  }

  private static WebhookMetrics changed(String sample, String other) {
    return WebhookMetrics.parse("pod", METRICS.replace(sample, other));
  }
}
