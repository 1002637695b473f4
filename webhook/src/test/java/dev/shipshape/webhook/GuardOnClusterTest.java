package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.ownedBy;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.config.GuardReader;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the API server makes of the validating entry's answers. */
class GuardOnClusterTest extends OnGuardedCluster {
  @Promise(
      value =
          "The API server refuses a known-invalid configuration in every spelling, with the reason."
              + " ",
      breaks = "Hashing what the normal form removes: an irrelevant order, a default.")
  @Test
  void aKnownInvalidConfigIsRejectedByTheApiServerHoweverItIsSpelled(UniqueNames names)
      throws Exception {
    var node = names.name("worker");
    guarded.create(config(node, vni + 2)).expect(201);
    guarded.recordInvalid(node, vni);

    var reply = guarded.update(node, respelled(node, vni)).expect(403);

    assertThat(reply.body().path("reason").asText()).isEqualTo("Forbidden");
    assertThat(reply.message())
        .startsWith("admission webhook \"validate.shipshape.dev\" denied the request: ")
        .contains("this configuration is known invalid: it equals " + node + "-invalid")
        .contains(" on " + node)
        .contains("delete nodeconfigs.network.schiff.telekom.de " + node + "-invalid");
    assertThat(guarded.api().get(NODE_CONFIGS + "/" + node).body().at("/spec/layer2/0/vni").asInt())
        .isEqualTo(vni + 2);
  }

  /** The API server passes on the reason of a failed call only as a Status. */
  @Test
  void whyAnObjectCannotBeJudgedIsShownToItsWriter(UniqueNames names) throws Exception {
    var large = config(names.name("worker"), vni);
    var networks = large.withObject("spec").withArray("layer2");
    for (var id = 1; id < 40_000; id++) {
      networks.addObject().put("id", id % 4000 + 1).put("mtu", 1500).put("vni", id);
    }

    assertThat(guarded.create(large).expect(500).message())
        .contains("failed calling webhook", "is too large to be judged");
  }

  @Promise(
      value = "A configuration is admitted again after its invalid record is deleted.",
      breaks = "Keeping the report of a deleted object.")
  @Test
  void aConfigIsAdmittedAgainOnceItsRecordIsGone(UniqueNames names) throws Exception {
    var node = names.name("worker");
    guarded.recordInvalid(node, vni);
    guarded.create(config(node, vni)).expect(403);

    guarded.api().delete(NODE_CONFIGS + "/" + node + "-invalid").expect(200);

    eventually(() -> guarded.create(config(node, vni)).expect(201));
  }

  @Test
  void goingBackToTheNodesBackupPasses(UniqueNames names) throws Exception {
    var node = names.name("worker");
    guarded.create(config(node, vni + 2)).expect(201);
    var uid = guarded.recordInvalid(node, vni);
    guarded.update(node, config(node, vni)).expect(403);

    guarded.create(ownedBy(config(node + "-backup", vni), node, uid)).expect(201);

    eventually(() -> guarded.update(node, respelled(node, vni)).expect(200));
  }

  @Promise(
      value =
          "A write that leaves a known-invalid configuration unchanged passes: labels, finalizers,"
              + " status.",
      breaks = "Deciding without the old object.")
  @Test
  void writesThatLeaveABadConfigAsItIsPass(UniqueNames names) throws Exception {
    var node = names.name("worker");
    guarded.create(config(node, vni)).expect(201);
    guarded.recordInvalid(node, vni);

    var annotated =
        guarded
            .api()
            .merge(NODE_CONFIGS + "/" + node, json("{metadata: {annotations: {a: 'b'}}}"))
            .expect(200);
    var finalized =
        guarded
            .api()
            .merge(NODE_CONFIGS + "/" + node, json("{metadata: {finalizers: ['example.com/x']}}"))
            .expect(200);
    guarded.api().delete(NODE_CONFIGS + "/" + node).expect(200);
    guarded
        .api()
        .merge(NODE_CONFIGS + "/" + node, json("{metadata: {finalizers: null}}"))
        .expect(200);

    assertThat(annotated.annotation("a")).isEqualTo("b");
    assertThat(finalized.body().at("/metadata/finalizers")).hasSize(1);
    eventually(() -> guarded.api().get(NODE_CONFIGS + "/" + node).expect(404));
  }

  @Test
  void aNodeWhoseStatusSaysInvalidWarnsOffOthers(UniqueNames names) throws Exception {
    var node = names.name("worker");
    guarded.create(config(node, vni)).expect(201);
    var failed =
        guarded
            .api()
            .merge(
                NODE_CONFIGS + "/" + node + "/status", json("{status: {configStatus: 'invalid'}}"))
            .expect(200);
    var other = names.name("worker");

    var reply = eventually(() -> guarded.create(respelled(other, vni)).expect(403));

    assertThat(reply.message()).contains("it equals " + node, "invalid since");
    assertThat(failed.body().at("/status/configStatus").asText()).isEqualTo("invalid");
    guarded.update(node, config(node, vni + 2)).expect(200);
    assertThat(guarded.update(node, config(node, vni)).expect(403).message())
        .contains(node + " (remembered)");
  }

  @Test
  void aSpecThatTheApiServerRefusesAnywayStillGetsItsOwnError(UniqueNames names) throws Exception {
    var mistyped = config(names.name("worker"), vni);
    mistyped.withObject("spec").put("layer2", "foo");

    assertThat(guarded.create(mistyped).expect(422).message()).contains("spec.layer2");
  }

  @Test
  void aRevisionEqualToAnInvalidOneIsRejectedWithWhatItsStatusTells(UniqueNames names)
      throws Exception {
    var first = names.name("revision");
    guarded.api().post(Api.REVISIONS, revision(first, "a", vni)).expect(201);
    var node = failedNode(names.name("worker"));
    var status =
        """
        {status: {isInvalid: true, ready: 0, ongoing: 0, queued: 0, total: 1, failedNode: 'worker-1', failedMessage: 'no route to it',
         failedAt: '2026-08-06T16:44:40Z'}}
        """;
    guarded.api().merge(Api.REVISIONS + "/" + first + "/status", json(status)).expect(200);
    var second = names.name("revision");

    var reply =
        eventually(
            () ->
                guarded
                    .api()
                    .post(Api.REVISIONS + "?dryRun=All", revision(second, "b", vni))
                    .expect(403));

    assertThat(reply.message())
        .contains(first, "on worker-1", "since 2026-08-06T16:44:40Z", "no route to it");
    guarded.api().post(Api.REVISIONS, revision(second, "b", vni + 1)).expect(201);
    guarded.api().delete(Api.REVISIONS + "/" + first).expect(200);
    eventually(
        () ->
            assertThat(
                    guarded
                        .api()
                        .post(Api.REVISIONS, revision(names.name("r"), "c", vni))
                        .expect(403)
                        .message())
                .contains(first + " (remembered)", " on ", "worker-1"));
    guarded.api().delete(node).expect(200);
  }

  /** A node's object that says that revision a failed there. */
  private static String failedNode(String name) throws Exception {
    var nodes = "/apis/network.t-caas.telekom.com/v1alpha1/nodenetworkconfigs";
    var object =
        "{apiVersion: 'network.t-caas.telekom.com/v1alpha1', kind: 'NodeNetworkConfig', metadata: {name: '%s'}, spec: {revision: 'a', layer2s: {}}}"
            .formatted(name);
    guarded.api().post(nodes, json(object)).expect(201);
    var status =
        "{status: {configStatus: 'invalid', lastAppliedRevision: 'a', lastUpdate:"
            + " '2026-08-06T16:44:40Z'}}";
    guarded.api().merge(nodes + "/" + name + "/status", json(status)).expect(200);
    return nodes + "/" + name;
  }

  @Test
  void eachPresetsProbeIsRefusedWhereNothingElseIsKnown() throws Exception {
    for (var preset : List.of("nodeconfig", "t-caas")) {
      var guard = GuardReader.preset(preset).getFirst();
      var path = "/apis/" + guard.resource().group() + "/v1alpha1/" + guard.resource().plural();
      var probe = Objects.requireNonNull(guard.probe());

      var reply = guarded.api().post(path + "?dryRun=All", probe.object()).expect(403);

      assertThat(reply.message()).contains("equals shipshape's own probe");
    }
  }

  private static ObjectNode revision(String name, String hash, int vni) {
    return Json.object(
        """
        {apiVersion: 'network.t-caas.telekom.com/v1alpha1', kind: 'NetworkConfigRevision',
         metadata: {name: '%s'},
         spec: {revision: '%s', layer2: [{name: 'a', id: 100, mtu: 1500, vni: %d}]}}
        """
            .formatted(name, hash, vni));
  }
}
