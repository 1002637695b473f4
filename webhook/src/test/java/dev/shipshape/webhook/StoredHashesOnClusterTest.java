package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.identity.Identity;
import dev.shipshape.webhook.identity.PresetGuards;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.mutation.NonStatusTree;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * In the eras with revisions the hash of what a client sends, of what is admitted and of what is
 * stored is one, whatever the API server fills in and throws away between them.
 */
@ExtendWith(ControlPlaneExtension.class)
class StoredHashesOnClusterTest {
  private static final String SCHIFF = "network.schiff.telekom.de";
  private static final String T_CAAS = "network.t-caas.telekom.com";

  /** With and without what has a default, and with null in its place. */
  private static final String CONFIG =
      """
      {revision: '', layer2: [{id: 200, mtu: 1500, vni: 8200, anycastGateways: []},
         {id: 100, mtu: 1500, vni: 8100, anycastMac: '00:00:5E:00:01:64', nodeSelector: {}}],
       vrf: [{vrf: 'b', seq: 1, import: [], export: [{cidr: '10.1.2.3/8', action: 'deny'}]},
             {vrf: 'c', seq: 2, mtu: null, import: [], export: []},
             {vrf: 'a', seq: 3, mtu: 9000, import: [], export: []}],
       routingTable: []}
      """;

  private static final String IN_A_VRF =
      """
      {bgpPeers: [{remoteAsn: 65000, password: 'secret', holdTime: '1m30s'}],
       gres: {g: {destinationAddress: '10.0.0.1', sourceAddress: '10.0.0.2'},
              h: {destinationAddress: '10.0.0.1', sourceAddress: '10.0.0.2', layer: null},
              i: {destinationAddress: '10.0.0.1', sourceAddress: '10.0.0.2', layer: 'layer2'}}}
      """;

  /** One that says more than the others may. */
  private static final String FABRIC_VRF =
      IN_A_VRF.replaceFirst(
          "\\{",
          """
          {vni: 1, evpnImportRouteTargets: ['2:2', '1:1'], evpnExportRouteTargets: [],
           evpnExportFilter: {defaultAction: {type: 'reject'}, items: []},
          """);

  /**
   * One resource, and what a client sends.
   *
   * @param filledIn where the API server puts a default
   */
  record Sent(String guard, String group, String kind, String spec, List<String> filledIn) {
    String path() {
      return "/apis/" + group + "/v1alpha1/" + plural(kind);
    }

    ObjectNode named(String name) {
      var sent = object("{metadata: {name: '%s'}}".formatted(name));
      sent.put("apiVersion", group + "/v1alpha1").put("kind", kind).set("spec", object(spec));
      return sent;
    }

    Identity identity() {
      return PresetGuards.named(guard).identity();
    }

    @Override
    public String toString() {
      return guard;
    }
  }

  private static final List<Sent> SENT =
      List.of(
          new Sent(
              "schiff-revision",
              SCHIFF,
              "NetworkConfigRevision",
              "{revision: 'r', config: " + CONFIG + "}",
              List.of("/spec/config/vrf/0/mtu", "/spec/config/vrf/1/mtu")),
          new Sent(
              "schiff-node",
              SCHIFF,
              "NodeNetworkConfig",
              CONFIG,
              List.of("/spec/vrf/0/mtu", "/spec/vrf/1/mtu")),
          new Sent(
              "t-caas-revision",
              T_CAAS,
              "NetworkConfigRevision",
              """
              {revision: 'r', layer2: [{name: 'b', id: 2, mtu: 1500, vni: 8300, vrf: ''},
                                       {name: 'a', id: 1, mtu: 1500, vni: 8301}],
               vrf: [{name: 'a', vrf: 'a', seq: 1, export: [], import: [
                        {cidr: 'b', action: 'deny', seq: 1}, {cidr: 'a', action: 'permit'}]}],
               bgp: [{name: 'p', enableBFD: false, export: [], import: [], remoteASN: 65000,
                      holdTime: '90s', nodeSelector: {matchLabels: {}}}], mirrorTargets: []}
              """,
              List.of()),
          new Sent(
              "t-caas-node",
              T_CAAS,
              "NodeNetworkConfig",
              "{revision: 'r', clusterVRF: %1$s, fabricVRFs: {m: %2$s}, localVRFs: {l: %1$s}}"
                  .formatted(IN_A_VRF, FABRIC_VRF),
              List.of(
                  "/spec/clusterVRF/gres/g/layer",
                  "/spec/fabricVRFs/m/gres/h/layer",
                  "/spec/localVRFs/l/gres/g/layer")));

  private static GuardedCluster guarded;

  @BeforeAll
  static void install(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    try (var api = Api.asAdministrator(cluster)) {
      for (var sent : SENT) {
        var era = sent.group().equals(SCHIFF) ? "revision-era" : "tcaas-era";
        ReferenceDefinitions.define(api, era, sent.group(), plural(sent.kind()), sent.kind());
      }
    }
    guarded =
        GuardedCluster.install(
            cluster,
            names,
            folder,
            "guards: [{preset: nodeconfig}, {preset: schiff-revisions}, {preset: t-caas}]\n",
            "");
  }

  @AfterAll
  static void remove() {
    guarded.close();
  }

  @Promise(
      value = "Fields that the API server fills in or prunes change no hash.",
      breaks = "Hashing the request although the stored object differs.")
  @ParameterizedTest
  @FieldSource("SENT")
  void whatIsFilledInAndThrownAwayChangesNoHash(Sent sent, UniqueNames names) throws Exception {
    var plain = sent.named(names.name("sent"));
    var more = plain.deepCopy().put("unknownToo", 1);
    more.withObject("spec").put("unknown", 1);

    var reply = guarded.api().post(sent.path(), more).expect(201);

    var stored = guarded.api().get(sent.path() + "/" + reply.body().at("/metadata/name").asText());
    assertThat(stored.body().at("/spec/unknown").isMissingNode()).isTrue();
    assertThat(stored.body().has("unknownToo")).isFalse();
    for (var place : sent.filledIn()) {
      assertThat(plain.at(place).asText("null")).as("%s as sent", place).matches("null|");
      assertThat(stored.body().at(place).asText("null")).as(place).matches("9000|layer3");
    }
    var identity = sent.identity();
    assertThat(stored.annotation(ConfigHash.ANNOTATION))
        .isEqualTo(identity.hash(stored.body()).toString())
        .isEqualTo(identity.hash(plain).toString());
    assertThat(stored.annotation(HashAnnotator.NON_STATUS_HASH))
        .isEqualTo(NonStatusTree.of(withoutPasswords(stored.object())).toString());
  }

  private static ObjectNode withoutPasswords(ObjectNode object) {
    object.findParents("password").forEach(at -> ((ObjectNode) at).remove("password"));
    return object;
  }

  private static String plural(String kind) {
    return kind.equals("NetworkConfigRevision") ? "networkconfigrevisions" : "nodenetworkconfigs";
  }
}
