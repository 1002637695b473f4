package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Configurations that take too long on their nodes, which a test's clock makes them do. */
@ExtendWith(ControlPlaneExtension.class)
@Timeout(180)
class TimeoutsOnClusterTest {
  private static final String GROUP = "network.t-caas.telekom.com";
  private static final String CONFIGS = "/apis/" + GROUP + "/v1alpha1/nodenetworkconfigs";
  private static final String PRESET = "guards: [{preset: t-caas, guardNodes: true}]\n";

  /** Objects of all nodes against each other. */
  private static final String OWN =
      """
      guards:
      - name: own
        resource: {group: network.t-caas.telekom.com, version: v1alpha1,
                   plural: nodenetworkconfigs, kind: NodeNetworkConfig}
        invalidWhen: {field: status.configStatus, equals: invalid}
        progress: {status: status.configStatus, provisioning: provisioning,
                   lastUpdate: status.lastUpdate}
        identity: {content: spec, drop: [revision]}
      """;

  private final ControlPlane cluster;
  private final Path folder;
  private final Api api;
  private final String namespace;
  private final String user;
  private final String worker;
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  TimeoutsOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    this.api = Api.asAdministrator(cluster);
    this.namespace = names.name("timeouts");
    this.user = names.name("webhook");
    this.worker = names.name("worker");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    Replica.grant(api, namespace, user);
    ReferenceDefinitions.define(api, "tcaas-era", GROUP, "nodenetworkconfigs", "NodeNetworkConfig");
    InstalledWebhook.grantNodes(api, user);
  }

  @AfterEach
  void clean() throws Exception {
    api.delete(CONFIGS + "/" + worker);
    api.delete("/api/v1/nodes/" + worker);
    api.close();
  }

  @Test
  void whatIsStuckIsRefusedWhereTimeoutsAreEnforcedWarnedOfOrNothing() throws Exception {
    var bad = config(worker, 10_100);
    var good = config(worker, 10_200);
    try (var said = new Said();
        var enforces = replica(PRESET, "enforce");
        var warns = replica(PRESET, "warn");
        var off = replica(PRESET, "off")) {
      node("True");
      api.post(CONFIGS, bad).expect(201);
      provisioning();
      ahead.set(Duration.ofMinutes(3));
      eventually(() -> assertThat(timedOut(enforces, "t-caas-node")).isEqualTo(1));
      eventually(() -> assertThat(timedOut(warns, "t-caas-node")).isEqualTo(1));
      assertThat(enforces.allowsUpdate("jane", bad, bad)).as("unchanged").isTrue();

      write(good);

      eventually(() -> assertThat(enforces.allowsUpdate("jane", bad, good)).isFalse());
      assertThat(enforces.refusal(bad))
          .contains("equals " + worker + " (timed out)", "has been provisioning on", "since 20");
      assertThat(enforces.allows(config(worker + "-2", 10_100))).as("another node").isTrue();
      assertThat(enforces.allowsUpdate("jane", config(worker, 10_300), good)).isTrue();
      eventually(
          () ->
              assertThat(warns.warnings(bad, good))
                  .contains("equals " + worker + " (timed out), which took too long"));
      assertThat(warns.allowsUpdate("jane", bad, good)).isTrue();
      assertThat(off.warnings(bad, good)).doesNotContain("took too long");
      assertThat(off.allowsUpdate("jane", bad, good)).isTrue();
      assertThat(timedOut(off, "t-caas-node")).isZero();
      assertThat(enforces.metric("shipshape_webhook_memory_entries")).as("not learned").isZero();
      assertThat(said.lines("timeouts: t-caas-node " + worker, "counts as invalid")).hasSize(2);

      provisioning();

      eventually(() -> assertThat(enforces.allowsUpdate("jane", bad, good)).isTrue());
      eventually(
          () -> assertThat(said.lines("no longer counts as invalid: its status")).hasSize(2));
    }
  }

  @Test
  void whereItsNodeIsNotReadyOrGoneNothingIsStuck() throws Exception {
    try (var said = new Said();
        var replica = replica(OWN, "enforce")) {
      node("False");
      api.post(CONFIGS, config(worker, 10_400)).expect(201);
      var equal = config(worker + "-2", 10_400);
      ahead.set(Duration.ofMinutes(20));
      eventually(() -> assertThat(replica.metric("shipshape_webhook_index_objects")).isEqualTo(1));
      assertThat(replica.allows(equal)).isTrue();

      ready("True");
      eventually(() -> assertThat(replica.allows(equal)).isFalse());
      assertThat(replica.refusal(equal)).contains("has had no status on " + worker, "600 s");

      ready("Unknown");
      eventually(() -> assertThat(replica.allows(equal)).isTrue());
      eventually(() -> assertThat(said.lines("its node is not ready")).hasSize(1));

      ready("True");
      eventually(() -> assertThat(replica.allows(equal)).isFalse());
      api.delete("/api/v1/nodes/" + worker).expect(200);
      eventually(() -> assertThat(replica.allows(equal)).isTrue());
    }
  }

  @Test
  void withoutTheRightToSeeNodesNothingIsStuckAndAllElseGoesOn() throws Exception {
    api.delete("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/" + user + "-nodes")
        .expect(200);
    try (var said = new Said();
        var replica = replica(OWN, "enforce")) {
      node("True");
      api.post(CONFIGS, config(worker, 10_500)).expect(201);
      ahead.set(Duration.ofMinutes(20));
      eventually(() -> assertThat(replica.metric("shipshape_webhook_index_objects")).isEqualTo(1));
      eventually(
          () -> assertThat(said.lines("could not list and watch nodes", "grant")).isNotEmpty());

      assertThat(replica.allows(config(worker + "-2", 10_500))).isTrue();
    }
  }

  private Replica replica(String guards, String mode) throws Exception {
    return Replica.start(
        cluster,
        folder,
        user,
        guards
            + "memory: {enabled: true, namespace: %s}\ntimeouts: {mode: %s}\n"
                .formatted(namespace, mode),
        () -> Instant.now().plus(ahead.get()));
  }

  private static double timedOut(Replica replica, String guard) throws Exception {
    return replica.metric("shipshape_webhook_timed_out", "guard=\"" + guard + "\"");
  }

  private void node(String ready) throws Exception {
    var ignored = api.node(worker);
    ready(ready);
  }

  /** Since long before, so that no time is lost by it. */
  private void ready(String ready) throws Exception {
    var status =
        """
        {status: {conditions: [{type: 'Ready', status: '%s', reason: 'Test', message: 'test',
          lastHeartbeatTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}
        """
            .formatted(ready);
    api.merge("/api/v1/nodes/" + worker + "/status", json(status)).expect(200);
  }

  private void provisioning() throws Exception {
    var time = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(ahead.get());
    var status =
        """
        {status: {configStatus: 'provisioning', lastUpdate: '%s', lastAppliedRevision: 'r'}}
        """
            .formatted(time);
    api.merge(CONFIGS + "/" + worker + "/status", json(status)).expect(200);
  }

  private void write(ObjectNode config) throws Exception {
    var content = object("{}");
    content.set("spec", config.get("spec").deepCopy());
    content.withObject("spec").withObject("layer2s").withObject("100").put("routeTarget", "1:1");
    api.merge(CONFIGS + "/" + worker, content).expect(200);
  }

  private static ObjectNode config(String name, int vni) {
    return object(
        """
        {apiVersion: '%s/v1alpha1', kind: 'NodeNetworkConfig', metadata: {name: '%s'},
         spec: {revision: 'r',
                layer2s: {'100': {vni: %d, vlan: 100, routeTarget: '', mtu: 1500}}}}
        """
            .formatted(GROUP, name, vni));
  }
}
