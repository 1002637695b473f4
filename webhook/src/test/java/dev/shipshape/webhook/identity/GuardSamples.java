package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.object;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** One configuration for each guard, with something in every place. */
final class GuardSamples {
  static final List<String> GUARDS =
      List.of("nodeconfig", "schiff-revision", "schiff-node", "t-caas-revision", "t-caas-node");

  private static final String LAYER_2 =
      """
      [{id: 100, mtu: 1500, vni: 7100, anycastMac: '00:00:5e:00:01:6a',
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
      {vni: 1, evpnImportRouteTargets: ['1:1', '1:2'], evpnExportRouteTargets: ['2:1', '2:2'],
       loopbacks: {lo: {ipAddresses: ['10.0.0.1/32']}},
       vrfImports: [{fromVrf: 'c', filter: {items: [{action: {type: 'accept'}}]}}, {fromVrf: 'd'}],
       bgpPeers: [{address: '10.0.0.9', remoteASN: 65000, holdTime: '90s', keepaliveTime: '30s'}],
       gres: {g: {sourceAddress: '10.0.0.2', layer: 'layer2'},
              h: {sourceAddress: '10.0.0.3', layer: 'layer3'}}}
      """;

  private static final Map<String, String> SPECS =
      Map.of(
          "nodeconfig",
          "{layer2: %s, vrf: %s, routingTable: [{tableId: 9}, {tableId: 10}]}"
              .formatted(LAYER_2, VRF),
          "schiff-revision",
          """
          {revision: 'r', config: {revision: 'r', layer2: %s, vrf: %s,
           routingTable: [{tableId: 9}, {tableId: 10}]}}
          """
              .formatted(LAYER_2, VRF),
          "schiff-node",
          """
          {revision: 'r', layer2: %s, vrf: %s,
           routingTable: [{tableId: 9, destination: 'x'}, {tableId: 10}]}
          """
              .formatted(LAYER_2, VRF),
          "t-caas-revision",
          """
          {revision: 'r', layer2: %s, vrf: %s,
           bgp: [{name: 'p', holdTime: '90s', keepaliveTime: '30s', localAS: 1}, {name: 'q'}],
           mirrorTargets: [{name: 'm', address: '10.7.0.1'}, {name: 'n'}],
           mirrorSelectors: [{name: 's', a: 1}, {name: 't'}]}
          """
              .formatted(LAYER_2, VRF),
          "t-caas-node",
          """
          {revision: 'r', layer2s: {'100': {vni: 1, irb: {macAddress: '00:00:5e:00:01:6a'}}},
           clusterVRF: %1$s, fabricVRFs: {a: %1$s, aa: {vni: 2}}, localVRFs: {b: %1$s}}
          """
              .formatted(IN_A_VRF));

  private GuardSamples() {}

  static ObjectNode spec(String guard) {
    return object(SPECS.getOrDefault(guard, ""));
  }
}
