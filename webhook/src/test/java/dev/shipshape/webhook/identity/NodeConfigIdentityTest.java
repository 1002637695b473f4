package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.config.GuardReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as the same NodeConfig and what does not, rule by rule. */
class NodeConfigIdentityTest {
  private static final Identity IDENTITY = GuardReader.preset("nodeconfig").getFirst().identity();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          absent, null and empty | {layer2: [], vrf: null} | {}
          null and empty within | {layer2: [{id: 1, anycastGateways: []}], vrf: [{vrf: 'a', import: null, export: null}]} | {layer2: [{id: 1}], vrf: [{vrf: 'a'}]}
          an empty object | {layer2: [{id: 1, x: {}}]} | {layer2: [{id: 1}]}
          order of layer2 | {layer2: [{id: 2}, {id: 1}]} | {layer2: [{id: 1}, {id: 2}]}
          numbers sort as numbers | {layer2: [{id: 10}, {id: 9}]} | {layer2: [{id: 9}, {id: 10}]}
          order of tables | {routingTable: [{tableId: 2}, {tableId: 1}]} | {routingTable: [{tableId: 1}, {tableId: 2}]}
          order of gateways | {layer2: [{id: 1, anycastGateways: ['10.0.0.1/24', '10.0.1.1/24']}]} | {layer2: [{id: 1, anycastGateways: ['10.0.1.1/24', '10.0.0.1/24']}]}
          order of aggregates | {vrf: [{vrf: 'a', aggregate: ['b', 'a']}]} | {vrf: [{vrf: 'a', aggregate: ['a', 'b']}]}
          the default mtu | {vrf: [{vrf: 'a'}]} | {vrf: [{vrf: 'a', mtu: 9000}]}
          flags that are false | {layer2: [{id: 1, advertiseNeighbors: false, createMacVLANInterface: false, vrf: ''}]} | {layer2: [{id: 1}]}
          where a layer 2 is | {layer2: [{id: 1, nodeSelector: {matchLabels: {a: 'b'}}}]} | {layer2: [{id: 1}]}
          case of a MAC address | {layer2: [{id: 1, anycastMac: '00:00:5E:00:01:AB'}]} | {layer2: [{id: 1, anycastMac: '00:00:5e:00:01:ab'}]}
          host bits of a route | {vrf: [{vrf: 'a', import: [{cidr: '10.1.2.3/16'}]}]} | {vrf: [{vrf: 'a', import: [{cidr: '10.1.0.0/16'}]}]}
          order of VRFs | {vrf: [{vrf: 'b', seq: 1}, {vrf: 'a', seq: 2}, {vrf: 'a', seq: 1}]} | {vrf: [{vrf: 'a', seq: 1}, {vrf: 'a', seq: 2}, {vrf: 'b', seq: 1}]}
          position as sequence | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b'}]}]} | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 2}]}]}
          order with sequences | {vrf: [{export: [{cidr: 'b', seq: 20}, {cidr: 'a', seq: 10}]}]} | {vrf: [{export: [{cidr: 'a', seq: 10}, {cidr: 'b', seq: 20}]}]}
          zero as no sequence | {vrf: [{import: [{cidr: 'a', seq: 0}]}]} | {vrf: [{import: [{cidr: 'a'}]}]}
          mixed sequences | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b', seq: 1}]}]} | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 1}]}]}
          """)
  void theSame(String name, String one, String other) {
    assertThat(hash(one)).as(name).isEqualTo(hash(other));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          suppression left open | {layer2: [{id: 1, neighSuppression: false}]} | {layer2: [{id: 1}]}
          ge left open | {vrf: [{import: [{cidr: 'a', ge: 0}]}]} | {vrf: [{import: [{cidr: 'a'}]}]}
          le left open | {vrf: [{import: [{cidr: 'a', le: 0}]}]} | {vrf: [{import: [{cidr: 'a'}]}]}
          another mtu | {vrf: [{vrf: 'a', mtu: 1500}]} | {vrf: [{vrf: 'a'}]}
          host bits of a gateway | {layer2: [{id: 1, anycastGateways: ['10.0.0.1/24']}]} | {layer2: [{id: 1, anycastGateways: ['10.0.0.2/24']}]}
          a flag that is true | {layer2: [{id: 1, advertiseNeighbors: true}]} | {layer2: [{id: 1}]}
          order of routes | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b'}]}]} | {vrf: [{import: [{cidr: 'b'}, {cidr: 'a'}]}]}
          order among equal sequences | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 1}]}]} | {vrf: [{import: [{cidr: 'b', seq: 1}, {cidr: 'a', seq: 1}]}]}
          order among mixed sequences | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b', seq: 1}]}]} | {vrf: [{import: [{cidr: 'b', seq: 1}, {cidr: 'a'}]}]}
          order of VRFs that disagree | {vrf: [{vrf: 'a', seq: 2, mtu: 1500}, {vrf: 'a', seq: 1}]} | {vrf: [{vrf: 'a', seq: 1}, {vrf: 'a', seq: 2, mtu: 1500}]}
          order of equal ids | {layer2: [{id: 1, vni: 1}, {id: 1, vni: 2}]} | {layer2: [{id: 1, vni: 2}, {id: 1, vni: 1}]}
          a text for a number | {layer2: [{id: '1'}]} | {layer2: [{id: 1}]}
          an empty text elsewhere | {vrf: [{vrf: 'a', community: ''}]} | {vrf: [{vrf: 'a'}]}
          a null among elements | {layer2: [null]} | {layer2: []}
          """)
  void different(String name, String one, String other) {
    assertThat(hash(one)).as(name).isNotEqualTo(hash(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {layer2: 'foo'}
          {layer2: {id: 1}}
          {layer2: [1, [], {}]}
          {layer2: [{id: {}}, {id: 2}, 'x']}
          {layer2: [{id: 1, anycastMac: 7, anycastGateways: [[], 1, 'x', {}], vrf: false}]}
          {vrf: [{vrf: [], seq: 'a', mtu: {}}, {vrf: 1}, null]}
          {vrf: [{import: [{seq: 1.5}, {seq: 99999999999999999999}, 3], export: 'x'}]}
          {vrf: [{import: [{cidr: {}, seq: []}]}]}
          []
          'x'
          """)
  void anyShapeHasAHash(String spec) {
    assertThat(hash(spec)).isEqualTo(hash(spec));
    assertThat(hash(spec)).isNotEqualTo(hash("{}"));
  }

  @Test
  void aConfigurationRespelledInEveryWayAtOnceIsTheSame() {
    for (var seed = 0; seed < 500; seed++) {
      var samples = new NodeConfigSamples(seed);
      var spec = samples.spec();
      var respelled = samples.respelled(spec).toString();
      assertThat(hash(respelled)).as("seed %d: %s", seed, spec).isEqualTo(hash(spec.toString()));
    }
  }

  private static ConfigHash hash(String spec) {
    return IDENTITY.hash(json("{spec: " + spec + "}"));
  }
}
