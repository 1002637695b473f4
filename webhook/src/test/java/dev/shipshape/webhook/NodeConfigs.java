package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.object;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** NodeConfigs for tests on a real API server. */
public final class NodeConfigs {
  private NodeConfigs() {}

  /** A config with two layer 2 networks of this VNI and the next. */
  public static ObjectNode config(String name, int vni) {
    return object(
        """
        {apiVersion: 'network.schiff.telekom.de/v1alpha1', kind: 'NodeConfig',
         metadata: {name: '%1$s'},
         spec: {
          layer2: [{id: 100, mtu: 1500, vni: %2$d, anycastMac: '00:00:5e:00:01:64',
                    anycastGateways: ['10.100.0.1/24', '10.100.1.1/24']},
                   {id: 200, mtu: 1500, vni: %3$d}],
          vrf: [{vrf: 'm2m', seq: 10, import: [{cidr: '10.200.0.0/16', action: 'permit', le: 32}],
                 export: [{cidr: '10.100.0.0/24', action: 'permit'}]}],
          routingTable: [{tableId: 1000}]}}
        """
            .formatted(name, vni, vni + 1));
  }

  /** The same config, spelled otherwise. */
  public static ObjectNode respelled(String name, int vni) {
    return object(
        """
        {apiVersion: 'network.schiff.telekom.de/v1alpha1', kind: 'NodeConfig',
         metadata: {name: '%1$s'},
         spec: {
          routingTable: [{tableId: 1000}],
          vrf: [{vrf: 'm2m', seq: 10, mtu: 9000, aggregate: [],
                 import: [{seq: 1, cidr: '10.200.7.7/16', action: 'permit', le: 32}],
                 export: [{cidr: '10.100.0.0/24', action: 'permit'}]}],
          layer2: [{id: 200, mtu: 1500, vni: %3$d, advertiseNeighbors: false, vrf: ''},
                   {id: 100, mtu: 1500, vni: %2$d, anycastMac: '00:00:5E:00:01:64',
                    anycastGateways: ['10.100.1.1/24', '10.100.0.1/24']}]}}
        """
            .formatted(name, vni, vni + 1));
  }

  /** Makes it a record that the node owns. */
  public static ObjectNode ownedBy(ObjectNode config, String node, String uid) {
    var owner = config.withObject("metadata").withArray("ownerReferences").addObject();
    owner.put("apiVersion", "v1").put("kind", "Node").put("name", node).put("uid", uid);
    return config;
  }
}
