package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What failed on a node stays known until it works there, and is told as what it is. */
@ExtendWith(ControlPlaneExtension.class)
class LastingFailuresOnClusterTest {
  private final int vni = GuardedCluster.newVni();
  private final Api api;
  private final String failing;
  private final String working;
  private final String uid;
  private final Replica replica;

  LastingFailuresOnClusterTest(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    this.api = Api.asAdministrator(cluster);
    this.failing = names.name("worker-2");
    this.working = names.name("worker-1");
    var user = names.name("webhook");
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    this.uid = api.node(working);
    this.replica = Replica.start(cluster, folder, user, "guards: [{preset: nodeconfig}]\n");
    api.post(NODE_CONFIGS, config(failing, vni)).expect(201);
    api.report(failing, "invalid");
    eventually(() -> assertThat(replica.allows(respelled("other", vni))).isFalse());
  }

  @AfterEach
  void clean() throws Exception {
    replica.close();
    for (var name : new String[] {failing, working, working + "-invalid", "last"}) {
      api.delete(NODE_CONFIGS + "/" + name);
    }
    api.close();
  }

  @Test
  void aSuccessOnAnotherNodeClearsNothingAndOneOnTheSameNodeDoes() throws Exception {
    api.post(NODE_CONFIGS, config(working, vni)).expect(201);
    api.rollOut(failing, vni + 3);
    for (var time = 0; time < 3; time++) {
      api.report(working, "provisioning");
      api.report(working, "provisioned");
      pass(1);
    }
    seen();
    assertThat(replica.refusal(config(failing, vni))).contains(" on " + failing, "(remembered)");
    assertThat(replica.allows(config("other", vni))).isFalse();

    api.rollOut(failing, vni);

    eventually(
        () -> {
          api.report(failing, "provisioning");
          api.report(failing, "provisioned");
          assertThat(replica.allows(config("other", vni))).isTrue();
        });
  }

  /** Of reports within a second, each counts as a second later than the one before. */
  @Test
  void whatAPersonCallsInvalidStaysSoThoughItWorkedBefore() throws Exception {
    pass(2);
    api.report(failing, "provisioning");
    api.report(failing, "provisioned");
    eventually(
        () ->
            assertThat(KnownInvalidConfigurations.verdicts(api, failing))
                .containsExactly("Cleared"));
    pass(3);

    KnownInvalidConfigurations.blame(api, failing);
    eventually(() -> assertThat(replica.allows(config("other", vni))).isFalse());
    api.merge(NODE_CONFIGS + "/" + failing, json("{metadata: {labels: {a: 'b'}}}")).expect(200);
    seen();

    assertThat(replica.allows(config("other", vni))).isFalse();
  }

  private static void pass(int seconds) throws Exception {
    var begin = System.nanoTime();
    eventually(() -> assertThat(System.nanoTime() - begin).isGreaterThan(seconds * 1_000_000_000L));
  }

  @Test
  void theRecordOfAConfigurationThatWasRefusedIsNoFailure() throws Exception {
    assertThat(replica.allows(config(working, vni))).isFalse();
    api.post(NODE_CONFIGS, ownedBy(config(working + "-invalid", vni), working, uid)).expect(201);

    eventually(
        () ->
            assertThat(replica.refusal(config(working, vni)))
                .contains("equals " + failing + ",")
                .doesNotContain("more)", "-invalid, invalid since"));
  }

  @Test
  void whatANodesObjectReportsTakesThePlaceOfWhatItsRecordSaid() throws Exception {
    api.post(NODE_CONFIGS, config(working, vni + 3)).expect(201);
    api.post(NODE_CONFIGS, ownedBy(config(working + "-invalid", vni + 3), working, uid))
        .expect(201);
    eventually(() -> assertThat(reasons(working + "-invalid")).hasSize(1));

    api.report(working, "invalid");

    eventually(
        () -> assertThat(reasons(working)).containsExactly("status.configStatus is invalid"));
  }

  private List<String> reasons(String source) throws Exception {
    return KnownInvalidConfigurations.of(api, source).stream()
        .map(known -> known.at("/spec/reason").asText())
        .toList();
  }

  @Test
  void anOperatorsRetriesAreOneLineAMinute() throws Exception {
    try (var log = new CapturedLog()) {
      for (var retry = 0; retry < 30; retry++) {
        assertThat(replica.allows(config(working, vni))).isFalse();
      }
      assertThat(replica.allows(config("third", vni))).isFalse();

      assertThat(log.lines("denied CREATE", working + " to jane")).hasSize(1);
      assertThat(log.lines("denied CREATE", "third to jane")).hasSize(1);
    }
  }

  /** What comes by the same watch later is known: so is all that came before. */
  private void seen() throws Exception {
    api.post(NODE_CONFIGS, config("last", vni + 5)).expect(201);
    api.report("last", "invalid");
    eventually(() -> assertThat(replica.allows(config("other", vni + 5))).isFalse());
  }
}
