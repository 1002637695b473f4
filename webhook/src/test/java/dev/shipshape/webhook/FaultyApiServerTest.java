package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static dev.shipshape.webhook.Reviews.creation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Fault;
import dev.shipshape.sandbox.FaultProxy;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that answers slowly, wrongly or not at all, between the webhook and its index. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(180)
class FaultyApiServerTest {
  /** The client waits longer from try to try, up to half a minute. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CertificateSource certificates = TestingCertificates.forLoopback();
  private final int vni = GuardedCluster.newVni();

  private Api api;
  private FaultProxy proxy;
  private KubernetesClient client;
  @SuppressWarnings("NullAway.Init") // Each test starts its own.
  private WebhookServer server;

  @BeforeEach
  void start(ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    api = Api.asAdministrator(cluster);
    InstalledWebhook.define(api);
    var user = names.name("webhook");
    InstalledWebhook.grant(api, user);
    proxy = FaultProxy.start(cluster, user);
    var kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, proxy.kubeconfig());
    client = ApiConnection.open(kubeconfig, null);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
    client.close();
    proxy.close();
    api.close();
  }

  @Test
  void aWatchThatIsTooOldIsListedAnew(UniqueNames names) throws Exception {
    startServer();
    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());

    // The client tries by WebSocket first, and then by a plain request.
    proxy.inject(FaultyApiServerTest::watches, new Fault.Gone(), 2);
    proxy.cutAll();

    var node = recordInvalid(names);
    eventually(PATIENCE, () -> assertRefused(node));
    proxy.heal();
    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());
    assertRefused(node);
  }

  @Test
  void aWatchThatIsCutAgainAndAgainMissesNothing(UniqueNames names) throws Exception {
    startServer();
    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());

    proxy.inject(FaultyApiServerTest::watches, new Fault.Cut(10), 4);
    proxy.cutAll();
    var first = recordInvalid(names);
    eventually(PATIENCE, () -> assertRefused(first));
    proxy.heal();

    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());
    assertRefused(first);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500})
  void anApiServerThatOnlyFailsMakesTheIndexOldAndThenNothingIsGuessed(int code, UniqueNames names)
      throws Exception {
    startServer();
    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());

    proxy.inject(FaultyApiServerTest::all, new Fault.Status(code));
    proxy.cutAll();

    eventually(
        PATIENCE,
        () -> assertThat(server.missing().orElse("")).contains("have not been watched for"));
    eventually(PATIENCE, () -> assertThat(validate(names.name("worker")).status()).isEqualTo(503));
    assertThat(Metric.sum(server.managementPort(), "shipshape_webhook_index_staleness_seconds"))
        .isGreaterThan(1);
    var node = recordInvalid(names);
    proxy.heal();

    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());
    eventually(PATIENCE, () -> assertRefused(node));
  }

  @Test
  void aSlowApiServerDelaysReadinessAndNothingElse(UniqueNames names) throws Exception {
    var node = recordInvalid(names);
    proxy.inject(FaultyApiServerTest::all, new Fault.Slow(Duration.ofMillis(500)));

    startServer();

    assertThat(validate(node).status()).isEqualTo(503);
    eventually(PATIENCE, () -> assertThat(server.missing()).isEmpty());
    assertRefused(node);
  }

  private void startServer() throws Exception {
    var settings =
        WebhookSettings.parse(
            "webhook.yaml",
            """
            apiVersion: shipshape.dev/v1
            listen: {host: 127.0.0.1, port: 0}
            management: {host: 127.0.0.1, port: 0}
            staleness: {unready: 1s, refuse: 2s}
            warmUp: 0s
            guards: [{preset: nodeconfig}]
            """);
    server = WebhookServer.start(settings, certificates, client);
  }

  /** Straight to the API server. */
  private String recordInvalid(UniqueNames names) throws Exception {
    var node = names.name("worker");
    var record = ownedBy(config(node + "-invalid", vni), node, api.node(node));
    api.post(Api.NODE_CONFIGS, record).expect(201);
    return node;
  }

  private void assertRefused(String node) throws Exception {
    var answer = validate(node);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("\"allowed\":false", "known invalid");
  }

  private record Answer(int status, String body) {}

  private Answer validate(String node) throws Exception {
    try (var caller = Caller.of(server, certificates)) {
      var answer = caller.validate(creation(config(node, vni).toString()));
      return new Answer(answer.statusCode(), answer.body());
    }
  }

  private static boolean all(URI uri) {
    return true;
  }

  private static boolean watches(URI uri) {
    return uri.getQuery().contains("watch=true");
  }
}
