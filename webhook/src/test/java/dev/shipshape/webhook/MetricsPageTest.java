package dev.shipshape.webhook;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Reason;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page in docs names every metric that is served, and no other. */
class MetricsPageTest {
  private static final String PREFIX = "shipshape_webhook_";
  private static final Pattern ROW = Pattern.compile("^\\| `([a-z_]+)`", Pattern.MULTILINE);

  @Test
  void thePageNamesWhatIsServed() throws Exception {
    var scraped = scrape();

    var served =
        scraped
            .lines()
            .filter(line -> line.startsWith("# TYPE " + PREFIX))
            .map(line -> line.split(" ", 4)[2].substring(PREFIX.length()))
            .filter(name -> !name.endsWith("_max"))
            .collect(toCollection(TreeSet::new));
    assertThat(documented()).isEqualTo(served);
  }

  @Test
  void everyLabelValueIsOnThePage() throws Exception {
    var section = section();

    assertThat(
            Stream.of(
                    Stream.of(Endpoint.values()),
                    Stream.of(Reason.Outcome.values()),
                    Stream.of(Reason.values()).filter(Reason::rejects))
                .flatMap(labels -> labels)
                .map(label -> label.name().toLowerCase(Locale.ROOT)))
        .allSatisfy(label -> assertThat(section).contains("`" + label + "`"));
  }

  @Test
  void noSeriesIsMissingBeforeTheFirstCall() throws Exception {
    assertThat(scrape())
        .contains("\nprocess_start_time_seconds ")
        .contains(
            "shipshape_webhook_requests_total{decision=\"denied\",entry=\"validate\",operation=\"update\"}"
                + " 0.0",
            "shipshape_webhook_ready 0.0",
            "shipshape_webhook_ca_bundle_matches{configuration=\"validating\"} 0.0",
            "shipshape_webhook_ca_bundle_matches{configuration=\"mutating\"} 0.0",
            "shipshape_webhook_certificate_start_timestamp_seconds{certificate=\"authority\"} NaN",
            "shipshape_webhook_certificate_expiry_timestamp_seconds{certificate=\"leaf\"} NaN",
            "shipshape_webhook_refusals_total{entry=\"mutate\",reason=\"internal_error\"} 0.0");
  }

  @Test
  void theLifeOfWhatIsServedCanBeReckoned() throws Exception {
    var certificates = TestingCertificates.forLoopback();
    try (var client = clientOfNothing();
        var server = WebhookServer.start(InstalledWebhook.settings(), certificates, client)) {
      var served = certificates.current();
      assertThat(seconds(server, "start", "leaf")).isEqualTo(served.notBefore().getEpochSecond());
      assertThat(seconds(server, "start", "authority"))
          .isEqualTo(served.authorityNotBefore().getEpochSecond());
      assertThat(seconds(server, "expiry", "leaf"))
          .isEqualTo(served.pair().notAfter().getEpochSecond());
      assertThat(seconds(server, "expiry", "authority"))
          .isEqualTo(served.authorityNotAfter().getEpochSecond());
    }
  }

  private static long seconds(WebhookServer server, String end, String certificate)
      throws Exception {
    var name = "shipshape_webhook_certificate_%s_timestamp_seconds".formatted(end);
    return (long) Metric.sum(server.managementPort(), name, "\"" + certificate + "\"");
  }

  private static KubernetesClient clientOfNothing() {
    var nowhere = new ConfigBuilder().withMasterUrl("https://127.0.0.1:1").build();
    return new KubernetesClientBuilder().withConfig(nowhere).build();
  }

  private static String scrape() throws Exception {
    var settings =
        InstalledWebhook.settings(
            "certificates: {source: self-managed}\nregistration: {configMap: a, service: b}\n");
    try (var client = clientOfNothing();
        var server = WebhookServer.start(settings, null, client)) {
      return Metric.page(server.managementPort(), "/metrics");
    }
  }

  private static Set<String> documented() throws Exception {
    return ROW.matcher(section())
        .results()
        .map(row -> row.group(1))
        .collect(toCollection(TreeSet::new));
  }

  private static String section() throws Exception {
    var page = Files.readString(Path.of("../docs/reference/metrics.md"));
    var from = page.indexOf("## Webhook");
    var to = page.indexOf("\n## ", from + 1);
    return page.substring(from, to < 0 ? page.length() : to);
  }
}
