package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator that says by a NodeConfigProcess when it rolls out, and whose records have no owner:
 * what goes back passes, what goes on with a known-invalid configuration does not.
 */
@ExtendWith(ControlPlaneExtension.class)
class RolloutOnClusterTest {
  private static final String PROCESSES =
      "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigprocesses";
  private static final String OPERATOR = "system:serviceaccount:kube-system:network-operator";

  /** What fails on the first node. */
  private final int bad = GuardedCluster.newVni();

  private final int good = bad + 1;
  private final Api api;
  private final Replica replica;
  private final String failed;
  private final String next;
  private final String last;

  RolloutOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    api = Api.asAdministrator(cluster);
    failed = names.name("worker");
    next = names.name("worker");
    last = names.name("worker");
    var user = names.name("webhook");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    ReferenceDefinitions.define(
        api,
        "nodeconfig-era",
        "network.schiff.telekom.de",
        "nodeconfigprocesses",
        "NodeConfigProcess");
    replica =
        Replica.start(
            cluster,
            folder,
            user,
            """
            guards: [{preset: nodeconfig, rolloutServiceAccount: '%s'}]
            """
                .formatted(OPERATOR));
  }

  /** A rollout of the bad configuration goes on, and has failed on the first node. */
  @BeforeEach
  void rollOut() throws Exception {
    var process =
        """
        {apiVersion: 'network.schiff.telekom.de/v1alpha1', kind: 'NodeConfigProcess',
         metadata: {name: 'network-operator'}, spec: {state: 'provisioning'}}
        """;
    api.post(PROCESSES, json(process)).expect(201);
    create(failed, bad, "invalid");
    eventually(() -> assertThat(replica.allows(config("x", bad))).isFalse());
  }

  @AfterEach
  void clean() throws Exception {
    replica.close();
    api.delete(PROCESSES + "/network-operator");
    for (var item : api.get(NODE_CONFIGS).body().path("items")) {
      api.delete(NODE_CONFIGS + "/" + item.at("/metadata/name").asText()).expect(200);
    }
    api.close();
  }

  @Test
  void goingBackToTheBackupPassesWhileItGoesOnThoughNobodyOwnsTheBackup() throws Exception {
    api.post(NODE_CONFIGS, config(next + "-backup", bad)).expect(201);

    eventually(() -> assertThat(goes(OPERATOR, next)).isTrue());
    assertThat(goes("jane", next)).isFalse();
    assertThat(replica.allows(config(next, bad))).as("a creation goes nowhere back").isFalse();

    api.merge(PROCESSES + "/network-operator", json("{spec: {state: 'provisioned'}}")).expect(200);
    eventually(() -> assertThat(goes(OPERATOR, next)).isFalse());
  }

  @Promise(
      value = "A node can always return to its backup, even if the backup failed before.",
      breaks = "Deciding a rollback like a rollout.")
  @Test
  void goingBackToTheBackupPassesWhereItFailedOnThisVeryNode() throws Exception {
    theRolloutIsHeardOf();
    assertThat(goes(OPERATOR, failed)).isFalse();

    api.post(NODE_CONFIGS, config(failed + "-backup", bad)).expect(201);

    eventually(() -> assertThat(goes(OPERATOR, failed)).isTrue());
  }

  @Promise(
      value = "A configuration that failed on one node is not rolled out to the next.",
      breaks = "Exempting every write of the operator during a rollout.")
  @Test
  void goingOnToTheNextNodeIsRefused() throws Exception {
    create(next, good, "provisioned");
    api.post(NODE_CONFIGS, config(next + "-backup", good)).expect(201);
    theRolloutIsHeardOf();
    allIsHeardOf();

    assertThat(goes(OPERATOR, next)).isFalse();
  }

  @Test
  void goingBackToWhatTheNodeLastWorkedWithNeedsNoBackup() throws Exception {
    create(next, bad, "provisioned");
    theRolloutIsHeardOf();
    goForward(next);

    eventually(() -> assertThat(goes(OPERATOR, next)).isTrue());

    api.report(next, "provisioned");
    eventually(() -> assertThat(goes(OPERATOR, next)).as("it works with another").isFalse());
  }

  @Test
  void itsRecordsMayBeWritten() throws Exception {
    theRolloutIsHeardOf();

    assertThat(goes(OPERATOR, next + "-backup")).isTrue();
    assertThat(goes(OPERATOR, failed + "-invalid")).isTrue();
    assertThat(goes("jane", next + "-backup")).isFalse();
  }

  /** Whether a node may be given the bad configuration. */
  private boolean goes(String user, String node) throws Exception {
    return replica.allowsUpdate(user, config(node, bad), config(node, good));
  }

  private void theRolloutIsHeardOf() throws Exception {
    eventually(() -> assertThat(goes(OPERATOR, "any-backup")).isTrue());
  }

  /** What was written before is heard before another node's turn forward is. */
  private void allIsHeardOf() throws Exception {
    create(last, bad, "provisioned");
    goForward(last);
    eventually(() -> assertThat(goes(OPERATOR, last)).isTrue());
  }

  private void create(String node, int vni, String status) throws Exception {
    api.post(NODE_CONFIGS, config(node, vni)).expect(201);
    api.report(node, status);
  }

  private void goForward(String node) throws Exception {
    api.rollOut(node, good);
    api.report(node, "provisioning");
  }
}
