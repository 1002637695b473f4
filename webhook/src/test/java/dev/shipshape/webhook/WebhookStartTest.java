package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.WebhookSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the webhook does before it is ready, and when it cannot become so. */
@ExtendWith(ControlPlaneExtension.class)
class WebhookStartTest {
  private final CertificateSource certificates = TestingCertificates.forLoopback();

  @Test
  void withoutRightsItSaysSoRefusesAndRecoversOnceItHasThem(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    try (var api = Api.asAdministrator(cluster)) {
      InstalledWebhook.define(api);
      var user = names.name("nobody");
      try (var client = InstalledWebhook.client(cluster, folder, user);
          var server = WebhookServer.start(InstalledWebhook.settings(), certificates, client)) {
        eventually(
            () ->
                assertThat(Metric.page(server.managementPort(), "/readyz"))
                    .contains("nodeconfigs.network.schiff.telekom.de", "cannot list resource"));
        assertThat(Metric.page(server.managementPort(), "/healthz")).isEqualTo("ok\n");
        var early = validate(server);
        assertThat(early.statusCode()).isEqualTo(503);
        assertThat(early.headers().firstValue("Retry-After")).contains("1");

        InstalledWebhook.grant(api, user);

        eventually(() -> assertThat(server.notReadyReason()).isEmpty());
        assertThat(Metric.page(server.managementPort(), "/readyz")).isEqualTo("ok\n");
        assertThat(Metric.sum(server.managementPort(), "shipshape_webhook_ready")).isEqualTo(1);
        assertThat(validate(server).body()).contains("\"allowed\":true");
      }
    }
  }

  @Test
  void anUnreachableApiServerLeavesItUpButNotReady(@TempDir Path folder) throws Exception {
    try (var client = InstalledWebhook.clientAt("https://127.0.0.1:" + freePort(), folder);
        var server = WebhookServer.start(InstalledWebhook.settings(), certificates, client)) {
      eventually(
          () ->
              assertThat(Metric.page(server.managementPort(), "/readyz"))
                  .contains("are not listed yet: "));
      assertThat(validate(server).statusCode()).isEqualTo(503);
    }
  }

  /** While guards are changed, other replicas refuse what this one only stamps. */
  @Test
  void whatItOnlyStampsIsLeftToOtherReplicasToJudge(@TempDir Path folder) throws Exception {
    var settings =
        InstalledWebhook.onAnyPort(
            """
            guards:
            - name: copies
              resource:
                {group: network.schiff.telekom.de, version: v1alpha1, plural: nodeconfigs, kind: NodeConfig}
              identity: {content: spec}
              stampOnly: true
            """);
    try (var client = InstalledWebhook.clientAt("https://127.0.0.1:" + freePort(), folder);
        var server = WebhookServer.start(settings, certificates, client)) {
      var answer = validate(server);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("this replica has no guard for");
    }
  }

  private static int freePort() throws Exception {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Test
  void aResourceThatIsNotServedYetKeepsTheOthersFromNothing(ControlPlane cluster) throws Exception {
    try (var api = Api.asAdministrator(cluster);
        var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      InstalledWebhook.define(api);
      var settings =
          InstalledWebhook.onAnyPort(
              """
              guards:
              - preset: nodeconfig
              - name: things
                resource: {group: example.com, version: v1, plural: things, kind: Thing}
                invalidWhen: {field: status.bad, equals: "true"}
                identity: {content: spec}
              """);
      try (var server = WebhookServer.start(settings, certificates, client)) {
        eventually(() -> assertThat(server.notReadyReason()).isEmpty());
        assertThat(validate(server).body()).contains("\"allowed\":true");
        var thing =
            creation(nodeConfig("x", "{}")).replace("network.schiff.telekom.de", "example.com");
        thing = thing.replace("v1alpha1", "v1").replace("\"nodeconfigs\"", "\"things\"");
        assertThat(post(server, thing).statusCode()).isEqualTo(503);
        eventually(() -> assertThat(served(server, "things")).isZero());
        assertThat(served(server, "nodeconfig")).isOne();
      }
    }
  }

  private static double served(WebhookServer server, String guard) throws Exception {
    return Metric.sum(
        server.managementPort(), "shipshape_webhook_index_served", "\"" + guard + "\"");
  }

  @Test
  void aTakenPortIsOneClearLine(@TempDir Path folder) throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var client = InstalledWebhook.clientAt("https://127.0.0.1:1", folder)) {
      var settings =
          WebhookSettings.parse(
              "webhook.yaml",
              """
              apiVersion: shipshape.dev/v1
              listen: {host: 127.0.0.1, port: %d}
              management: {host: 127.0.0.1, port: 0}
              guards: [{preset: nodeconfig}]
              """
                  .formatted(taken.getLocalPort()));

      assertThatThrownBy(() -> WebhookServer.start(settings, certificates, client))
          .isInstanceOf(StartFailure.class)
          .hasMessageStartingWith("could not listen on 127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("listen.port")
          .hasMessageNotContainingAny("\n");
    }
  }

  private HttpResponse<String> validate(WebhookServer server) throws Exception {
    return post(server, creation(nodeConfig("worker-1", "{}")));
  }

  private HttpResponse<String> post(WebhookServer server, String review) throws Exception {
    try (var caller = Caller.of(server, certificates)) {
      return caller.validate(review);
    }
  }
}
