package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Programs;
import dev.shipshape.sandbox.Progress;
import dev.shipshape.webhook.config.WebhookSettings;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API server that goes away and comes back. */
class WatchLossTest {
  private static final String OBJECT = "{\"metadata\":{\"name\":\"worker-1\"},\"spec\":{}}";

  private final CertificateSource certificates = TestingCertificates.forLoopback();

  @Test
  void aLostWatchMakesItUnreadyThenRefuseAndItRecovers(@TempDir Path folder) throws Exception {
    try (var cluster =
            ControlPlane.start(Programs.find(System.getenv(), Progress.toLog()), Progress.toLog());
        var api = Api.asAdministrator(cluster)) {
      InstalledWebhook.define(api);
      InstalledWebhook.grant(api, "webhook");
      var settings =
          WebhookSettings.parse(
              "webhook.yaml",
              """
              apiVersion: shipshape.dev/v1
              listen: {host: 127.0.0.1, port: 0}
              management: {host: 127.0.0.1, port: 0}
              staleness: {unready: 1s, refuse: 2s}
              drain: 5s
              drainConnections: 1s
              guards: [{preset: nodeconfig}]
              """);
      try (var client = InstalledWebhook.client(cluster, folder, "webhook");
          var said = new Said()) {
        var server = WebhookServer.start(settings, certificates, client);
        eventually(() -> assertThat(validate(server).body()).contains("\"allowed\":true"));

        cluster.apiServer().stop();

        eventually(() -> assertThat(server.notReadyReason().orElse("")).contains("no news of"));
        eventually(() -> assertThat(validate(server).statusCode()).isEqualTo(503));
        var unchanged = post(server, Reviews.update(OBJECT, OBJECT));
        assertThat(unchanged.body()).contains("\"allowed\":true");
        assertThat(Metric.sum(server.managementPort(), "shipshape_webhook_index_staleness_seconds"))
            .isGreaterThan(1);

        cluster.apiServer().start();

        // An API server that has just started may say "not found" or "not allowed" for a while.
        for (var watched : List.of("nodeconfigs", "knowninvalidconfigurations")) {
          eventually(() -> assertThat(said.lines(watched, "works now")).isNotEmpty());
        }
        eventually(() -> assertThat(server.notReadyReason()).isEmpty());
        eventually(() -> assertThat(validate(server).body()).contains("\"allowed\":true"));
        drains(server);
      }
    }
  }

  private void drains(WebhookServer server) throws Exception {
    var drained = Thread.ofVirtual().start(server::drain);
    eventually(() -> assertThat(server.notReadyReason()).contains("shutting down"));
    var last = validate(server);
    assertThat(last.body()).contains("\"allowed\":true");
    assertThat(last.headers().firstValue("Connection")).contains("close");
    assertThat(drained.join(Duration.ofSeconds(20))).isTrue();
  }

  private HttpResponse<String> validate(WebhookServer server) throws Exception {
    return post(server, Reviews.creation(OBJECT));
  }

  /** On a connection of its own: the server may have closed an older one. */
  private HttpResponse<String> post(WebhookServer server, String review) throws Exception {
    try (var caller = Caller.of(server, certificates)) {
      return caller.validate(review);
    }
  }
}
