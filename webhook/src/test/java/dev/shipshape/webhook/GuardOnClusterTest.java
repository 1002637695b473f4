package dev.shipshape.webhook;

import static dev.shipshape.webhook.Api.NODE_CONFIGS;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.NodeConfigs.respelled;
import static org.assertj.core.api.Assertions.assertThat;

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
  void aSpecThatTheApiServerRefusesAnywayStillGetsItsOwnError(UniqueNames names) throws Exception {
    var mistyped = config(names.name("worker"), vni);
    mistyped.withObject("spec").put("layer2", "foo");

    assertThat(guarded.create(mistyped).expect(422).message()).contains("spec.layer2");
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
}
