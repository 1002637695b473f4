package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.webhook.config.WebhookSettings;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The handlers are called in process before anybody else calls them. */
@Timeout(60)
class WarmUpTest {
  private final CertificateSource certificates = TestingCertificates.forLoopback();

  /** It takes as long as it gains anything by it, which may be over before anybody looks. */
  @Test
  void itIsNotReadyBeforeItsOwnHandlerHasAnswered() throws Exception {
    eventually(
        () -> {
          try (var client = nowhere();
              var server = WebhookServer.start(settings("500ms"), certificates, client)) {
            assertThat(server.notReadyReason()).contains("warming up");
          }
        });
  }

  @Test
  void itCountsNothingOfItsOwnCalls() throws Exception {
    try (var client = nowhere();
        var server = WebhookServer.start(settings("500ms"), certificates, client)) {
      eventually(
          () -> assertThat(server.notReadyReason().orElse("")).contains("are not listed yet"));

      assertThat(Metric.sum(server.managementPort(), "shipshape_webhook_requests_total")).isZero();
      assertThat(
              Metric.sum(
                  server.managementPort(), "shipshape_webhook_request_duration_seconds_count"))
          .isZero();
    }
  }

  @Test
  void itCanBeSwitchedOff() throws Exception {
    try (var client = nowhere();
        var server = WebhookServer.start(settings("0s"), certificates, client)) {
      assertThat(server.notReadyReason().orElse("")).contains("are not listed yet");
    }
  }

  private static WebhookSettings settings(String warmUp) throws Exception {
    return WebhookSettings.parse(
        "webhook.yaml",
        """
        apiVersion: shipshape.dev/v1
        listen: {host: 127.0.0.1, port: 0}
        management: {host: 127.0.0.1, port: 0}
        guards: [{preset: nodeconfig}, {preset: t-caas}]
        warmUp: %s
        """
            .formatted(warmUp));
  }

  private static KubernetesClient nowhere() {
    var config = new ConfigBuilder().withMasterUrl("https://127.0.0.1:1").build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
