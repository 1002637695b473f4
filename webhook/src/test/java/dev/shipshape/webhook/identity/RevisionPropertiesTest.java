package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every single field of configurations in the eras with revisions, changed one after the other. */
class RevisionPropertiesTest {
  private static final int SHUFFLES = 200;

  /** What does not count, by the end of its path. */
  private static final List<String> IGNORED = List.of("/spec/revision", "/config/revision");

  private static final String LAYER_2 =
      """
      [{id: 100, mtu: 1500, vni: 7100, anycastMac: '00:00:5e:00:01:64',
        anycastGateways: ['10.1.0.1/24', '10.2.0.1/24'], neighSuppression: true, vrf: 'a',
        advertiseNeighbors: false, createMacVLANInterface: true},
       {id: 200, mtu: 9000, vni: 7200}]
      """;

  private static final String VRF =
      """
      [{vrf: 'a', seq: 10, mtu: 1500, vni: 20, routeTarget: '65000:20', communities: ['x', 'y'],
        aggregate: ['10.8.0.0/16', '10.9.0.0/16'],
        import: [{cidr: '10.3.0.0/16', action: 'permit', seq: 5, le: 24, ge: 18},
                 {cidr: '10.4.0.0/16', action: 'deny', seq: 7}],
        export: [{cidr: '10.5.0.0/16', action: 'permit', seq: 3}]},
       {vrf: 'b', seq: 20, import: [], export: [{cidr: '10.6.0.0/16', action: 'deny'}]}]
      """;

  private static final String IN_A_VRF =
      """
      {vni: 1, evpnImportRouteTargets: ['1:1', '1:2'], evpnExportRouteTargets: ['2:1'],
       loopbacks: {lo: {ipAddresses: ['10.0.0.1/32']}},
       vrfImports: [{fromVrf: 'c', filter: {items: [{action: {type: 'accept'}}]}}, {fromVrf: 'd'}],
       bgpPeers: [{address: '10.0.0.9', remoteASN: 65000, holdTime: '90s', keepaliveTime: '30s'}],
       gres: {g: {sourceAddress: '10.0.0.2', layer: 'layer2'}}}
      """;

  private static final Map<String, String> SAMPLES =
      Map.of(
          "schiff-revision",
          "{revision: 'r', config: {revision: 'r', layer2: %s, vrf: %s, routingTable: [{tableId: 9}]}}"
              .formatted(LAYER_2, VRF),
          "schiff-node",
          "{revision: 'r', layer2: %s, vrf: %s, routingTable: [{tableId: 9, destination: 'x'}]}"
              .formatted(LAYER_2, VRF),
          "t-caas-revision",
          """
          {revision: 'r', layer2: %s, vrf: %s,
           bgp: [{name: 'p', holdTime: '90s', keepaliveTime: '30s', localAS: 1}, {name: 'q'}],
           mirrorTargets: [{name: 'm', address: '10.7.0.1'}], mirrorSelectors: [{name: 's', a: 1}]}
          """
              .formatted(LAYER_2, VRF),
          "t-caas-node",
          """
          {revision: 'r', layer2s: {'100': {vni: 1, irb: {macAddress: '00:00:5e:00:01:64'}}},
           clusterVRF: %1$s, fabricVRFs: {a: %1$s}, localVRFs: {b: %1$s}}
          """
              .formatted(IN_A_VRF));

  @ParameterizedTest
  @ValueSource(strings = {"schiff-revision", "schiff-node", "t-caas-revision", "t-caas-node"})
  void everyChangedFieldMakesItAnother(String guard) {
    var identity = PresetGuards.named(guard).identity();
    var sample = sample(guard);
    var seen = new HashMap<ConfigHash, String>();
    seen.put(identity.hash(sample), "the sample");
    for (var path : scalars(sample)) {
      var changed = sample.deepCopy();
      change(changed, path);

      var hash = identity.hash(changed);

      if (IGNORED.stream().anyMatch(path::endsWith)) {
        assertThat(hash).as(path).isEqualTo(identity.hash(sample));
      } else {
        assertThat(seen.put(hash, path)).as("the same as with %s changed", path).isNull();
      }
    }
    assertThat(seen).hasSizeGreaterThan(30);
  }

  @ParameterizedTest
  @ValueSource(strings = {"schiff-revision", "schiff-node", "t-caas-revision", "t-caas-node"})
  void theOrderOfMembersIsNothing(String guard) {
    var identity = PresetGuards.named(guard).identity();
    var sample = sample(guard);
    for (var seed = 0; seed < SHUFFLES; seed++) {
      assertThat(identity.hash((ObjectNode) shuffled(sample, new Random(seed))))
          .as("seed %d", seed)
          .isEqualTo(identity.hash(sample));
    }
  }

  private static ObjectNode sample(String guard) {
    return object("{spec: " + SAMPLES.get(guard) + "}");
  }

  private static List<String> scalars(JsonNode node) {
    var paths = new ArrayList<String>();
    collect(node, "", paths);
    return paths;
  }

  private static void collect(JsonNode node, String path, List<String> paths) {
    switch (node) {
      case ObjectNode object ->
          object
              .properties()
              .forEach(member -> collect(member.getValue(), path + "/" + member.getKey(), paths));
      case ArrayNode list -> {
        for (var index = 0; index < list.size(); index++) {
          collect(list.get(index), path + "/" + index, paths);
        }
      }
      default -> paths.add(path);
    }
  }

  private static void change(ObjectNode object, String path) {
    var pointer = JsonPointer.compile(path);
    var old = object.at(pointer);
    var nodes = JsonNodeFactory.instance;
    JsonNode other =
        switch (old.getNodeType()) {
          case NUMBER -> nodes.numberNode(old.asInt() + 100_000);
          case BOOLEAN -> nodes.booleanNode(!old.asBoolean());
          default -> nodes.textNode("other-" + old.asText());
        };
    var last = pointer.last();
    switch (object.at(pointer.head())) {
      case ArrayNode list -> list.set(last.getMatchingIndex(), other);
      case ObjectNode holder -> holder.set(last.getMatchingProperty(), other);
      default -> throw new AssertionError(path);
    }
  }

  private static JsonNode shuffled(JsonNode node, Random random) {
    return switch (node) {
      case ObjectNode object -> {
        var members = new ArrayList<>(object.properties());
        Collections.shuffle(members, random);
        var copy = JsonNodeFactory.instance.objectNode();
        members.forEach(each -> copy.set(each.getKey(), shuffled(each.getValue(), random)));
        yield copy;
      }
      case ArrayNode list -> {
        var copy = JsonNodeFactory.instance.arrayNode();
        list.forEach(each -> copy.add(shuffled(each, random)));
        yield copy;
      }
      default -> node;
    };
  }
}
