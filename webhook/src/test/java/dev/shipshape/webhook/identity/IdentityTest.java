package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What counts as the same and what does not, rule by rule; of the eras with revisions, where the
 * rules differ from NodeConfig's.
 */
class IdentityTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          nodeconfig | absent, null and empty | {layer2: [], vrf: null} | {}
          nodeconfig | null and empty within | {layer2: [{id: 1, anycastGateways: []}], vrf: [{vrf: 'a', import: null, export: null}]} | {layer2: [{id: 1}], vrf: [{vrf: 'a'}]}
          nodeconfig | an empty object | {layer2: [{id: 1, x: {}}]} | {layer2: [{id: 1}]}
          nodeconfig | order of layer2 | {layer2: [{id: 2}, {id: 1}]} | {layer2: [{id: 1}, {id: 2}]}
          nodeconfig | numbers sort as numbers | {layer2: [{id: 10}, {id: 9}]} | {layer2: [{id: 9}, {id: 10}]}
          nodeconfig | order of tables | {routingTable: [{tableId: 2}, {tableId: 1}]} | {routingTable: [{tableId: 1}, {tableId: 2}]}
          nodeconfig | order of gateways | {layer2: [{id: 1, anycastGateways: ['10.0.0.1/24', '10.0.1.1/24']}]} | {layer2: [{id: 1, anycastGateways: ['10.0.1.1/24', '10.0.0.1/24']}]}
          nodeconfig | order of aggregates | {vrf: [{vrf: 'a', aggregate: ['b', 'a']}]} | {vrf: [{vrf: 'a', aggregate: ['a', 'b']}]}
          nodeconfig | the default mtu | {vrf: [{vrf: 'a'}]} | {vrf: [{vrf: 'a', mtu: 9000}]}
          nodeconfig | flags that are false | {layer2: [{id: 1, advertiseNeighbors: false, createMacVLANInterface: false, vrf: ''}]} | {layer2: [{id: 1}]}
          nodeconfig | where a layer 2 is | {layer2: [{id: 1, nodeSelector: {matchLabels: {a: 'b'}}}]} | {layer2: [{id: 1}]}
          nodeconfig | case of a MAC address | {layer2: [{id: 1, anycastMac: '00:00:5E:00:01:AB'}]} | {layer2: [{id: 1, anycastMac: '00:00:5e:00:01:ab'}]}
          nodeconfig | host bits of a route | {vrf: [{vrf: 'a', import: [{cidr: '10.1.2.3/16'}]}]} | {vrf: [{vrf: 'a', import: [{cidr: '10.1.0.0/16'}]}]}
          nodeconfig | order of VRFs | {vrf: [{vrf: 'b', seq: 1}, {vrf: 'a', seq: 2}, {vrf: 'a', seq: 1}]} | {vrf: [{vrf: 'a', seq: 1}, {vrf: 'a', seq: 2}, {vrf: 'b', seq: 1}]}
          nodeconfig | position as sequence | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b'}]}]} | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 2}]}]}
          nodeconfig | order with sequences | {vrf: [{export: [{cidr: 'b', seq: 20}, {cidr: 'a', seq: 10}]}]} | {vrf: [{export: [{cidr: 'a', seq: 10}, {cidr: 'b', seq: 20}]}]}
          nodeconfig | zero as no sequence | {vrf: [{import: [{cidr: 'a', seq: 0}]}]} | {vrf: [{import: [{cidr: 'a'}]}]}
          nodeconfig | mixed sequences | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b', seq: 1}]}]} | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 1}]}]}
          schiff-revision | revisions | {revision: 'a', config: {revision: 'b'}} | {revision: 'c', config: {}}
          schiff-revision | order of layer2 | {config: {layer2: [{id: 2}, {id: 1}]}} | {config: {layer2: [{id: 1}, {id: 2}]}}
          schiff-revision | position as sequence | {config: {vrf: [{import: [{cidr: 'a'}]}]}} | {config: {vrf: [{import: [{cidr: 'a', seq: 1}]}]}}
          schiff-revision | a selector of all | {config: {layer2: [{id: 1, nodeSelector: {}}]}} | {config: {layer2: [{id: 1}]}}
          schiff-node | revision and place | {revision: 'a', layer2: [{id: 1, nodeSelector: {matchLabels: {a: 'b'}}}]} | {layer2: [{id: 1}]}
          t-caas-revision | revision | {revision: 'a', bgp: []} | {revision: 'b'}
          t-caas-revision | order of sequences | {vrf: [{import: [{cidr: 'b', seq: 2}, {cidr: 'a', seq: 1}]}]} | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 2}]}]}
          t-caas-revision | none before some | {vrf: [{import: [{cidr: 'b', seq: 1}, {cidr: 'a'}]}]} | {vrf: [{import: [{cidr: 'a', seq: 0}, {cidr: 'b', seq: 1}]}]}
          t-caas-revision | order of peerings | {bgp: [{name: 'b'}, {name: 'a'}]} | {bgp: [{name: 'a'}, {name: 'b'}]}
          t-caas-revision | durations | {bgp: [{holdTime: '90s'}]} | {bgp: [{holdTime: '1m30s'}]}
          t-caas-node | order of imports | {fabricVRFs: {m: {vrfImports: [{fromVrf: 'b'}, {fromVrf: 'a'}]}}} | {fabricVRFs: {m: {vrfImports: [{fromVrf: 'a'}, {fromVrf: 'b'}]}}}
          t-caas-node | the default layer | {clusterVRF: {gres: {g: {}}}} | {clusterVRF: {gres: {g: {layer: 'layer3'}}}}
          t-caas-node | order of route targets | {fabricVRFs: {m: {evpnImportRouteTargets: ['b', 'a']}}} | {fabricVRFs: {m: {evpnImportRouteTargets: ['a', 'b']}}}
          t-caas-node | passwords | {localVRFs: {m: {bgpPeers: [{password: 'a'}]}}} | {localVRFs: {m: {bgpPeers: [{password: 'b'}]}}}
          """)
  void theSame(String guard, String name, String one, String other) {
    assertThat(hash(guard, one)).as(name).isEqualTo(hash(guard, other));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          nodeconfig | suppression left open | {layer2: [{id: 1, neighSuppression: false}]} | {layer2: [{id: 1}]}
          nodeconfig | ge left open | {vrf: [{import: [{cidr: 'a', ge: 0}]}]} | {vrf: [{import: [{cidr: 'a'}]}]}
          nodeconfig | le left open | {vrf: [{import: [{cidr: 'a', le: 0}]}]} | {vrf: [{import: [{cidr: 'a'}]}]}
          nodeconfig | another mtu | {vrf: [{vrf: 'a', mtu: 1500}]} | {vrf: [{vrf: 'a'}]}
          nodeconfig | host bits of a gateway | {layer2: [{id: 1, anycastGateways: ['10.0.0.1/24']}]} | {layer2: [{id: 1, anycastGateways: ['10.0.0.2/24']}]}
          nodeconfig | a flag that is true | {layer2: [{id: 1, advertiseNeighbors: true}]} | {layer2: [{id: 1}]}
          nodeconfig | order of routes | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b'}]}]} | {vrf: [{import: [{cidr: 'b'}, {cidr: 'a'}]}]}
          nodeconfig | order among equal sequences | {vrf: [{import: [{cidr: 'a', seq: 1}, {cidr: 'b', seq: 1}]}]} | {vrf: [{import: [{cidr: 'b', seq: 1}, {cidr: 'a', seq: 1}]}]}
          nodeconfig | order among mixed sequences | {vrf: [{import: [{cidr: 'a'}, {cidr: 'b', seq: 1}]}]} | {vrf: [{import: [{cidr: 'b', seq: 1}, {cidr: 'a'}]}]}
          nodeconfig | order of VRFs that disagree | {vrf: [{vrf: 'a', seq: 2, mtu: 1500}, {vrf: 'a', seq: 1}]} | {vrf: [{vrf: 'a', seq: 1}, {vrf: 'a', seq: 2, mtu: 1500}]}
          nodeconfig | order of equal ids | {layer2: [{id: 1, vni: 1}, {id: 1, vni: 2}]} | {layer2: [{id: 1, vni: 2}, {id: 1, vni: 1}]}
          nodeconfig | a text for a number | {layer2: [{id: '1'}]} | {layer2: [{id: 1}]}
          nodeconfig | an empty text elsewhere | {vrf: [{vrf: 'a', community: ''}]} | {vrf: [{vrf: 'a'}]}
          nodeconfig | a null among elements | {layer2: [null]} | {layer2: []}
          schiff-revision | where a layer 2 is | {config: {layer2: [{id: 1, nodeSelector: {matchLabels: {a: 'b'}}}]}} | {config: {layer2: [{id: 1}]}}
          schiff-revision | mixed sequences | {config: {vrf: [{import: [{cidr: 'a'}, {cidr: 'b', seq: 1}]}]}} | {config: {vrf: [{import: [{cidr: 'b', seq: 1}, {cidr: 'a'}]}]}}
          t-caas-revision | absent is no position | {vrf: [{import: [{cidr: 'a'}]}]} | {vrf: [{import: [{cidr: 'a', seq: 1}]}]}
          t-caas-revision | host bits as written | {vrf: [{import: [{cidr: '10.1.2.3/8'}]}]} | {vrf: [{import: [{cidr: '10.0.0.0/8'}]}]}
          t-caas-revision | names within | {layer2: [{id: 1, name: 'a'}]} | {layer2: [{id: 1, name: 'b'}]}
          t-caas-revision | order of gateways | {layer2: [{id: 1, anycastGateways: ['a', 'b']}]} | {layer2: [{id: 1, anycastGateways: ['b', 'a']}]}
          t-caas-revision | order of communities | {vrf: [{communities: ['a', 'b']}]} | {vrf: [{communities: ['b', 'a']}]}
          t-caas-node | an empty object | {clusterVRF: {}} | {}
          t-caas-node | order of filter items | {clusterVRF: {vrfImports: [{fromVrf: 'a', filter: {items: [1, 2]}}]}} | {clusterVRF: {vrfImports: [{fromVrf: 'a', filter: {items: [2, 1]}}]}}
          t-caas-node | order of policy routes | {clusterVRF: {policyRoutes: [{a: 1}, {a: 2}]}} | {clusterVRF: {policyRoutes: [{a: 2}, {a: 1}]}}
          """)
  void different(String guard, String name, String one, String other) {
    assertThat(hash(guard, one)).as(name).isNotEqualTo(hash(guard, other));
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
    assertThat(hash("nodeconfig", spec)).isEqualTo(hash("nodeconfig", spec));
    assertThat(hash("nodeconfig", spec)).isNotEqualTo(hash("nodeconfig", "{}"));
  }

  @Test
  void anInvalidRevisionTellsWhereWhenAndWhy() {
    var revision =
        json(
            """
            {metadata: {name: 'r', creationTimestamp: '2026-01-01T00:00:00Z',
              managedFields: [{manager: 'operator'}]},
             spec: {revision: 'a'},
             status: {isInvalid: true, failedNode: 'worker-1', failedMessage: 'no route',
              failedAt: '2026-08-06T16:44:40Z'}}
            """);
    var guard = PresetGuards.named("t-caas-revision");

    assertThat(guard.statusOf(revision)).isEqualTo(ConfigStatus.INVALID);
    assertThat(guard.failure().read(revision))
        .isEqualTo(new FailureDetails("operator", "2026-08-06T16:44:40Z", "worker-1", "no route"));
    assertThat(guard.statusOf(json("{spec: {}, status: {isInvalid: 'yes'}}")))
        .isNotEqualTo(ConfigStatus.INVALID);
    assertThat(guard.statusOf(json("{spec: {}, status: {isInvalid: false}}")))
        .isNotEqualTo(ConfigStatus.INVALID);
  }

  private static ConfigHash hash(String guard, String spec) {
    return PresetGuards.named(guard).identity().hash(json("{spec: " + spec + "}"));
  }
}
