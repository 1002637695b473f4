package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Json.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.List;

/** What the vectors in docs are made of: each rule of each guard, and each edge. */
final class HashingSamples {
  private static final List<String> WITH_NETWORKS =
      List.of("nodeconfig", "schiff-revision", "schiff-node");

  /** Two eras of one schema. */
  private static final String IN_ORDER =
      """
      {layer2: [{id: 200, mtu: 1500, vni: 2, unsaid: {}}, {id: 100, mtu: 1500, vni: 1, vrf: '',
         anycastMac: '00:00:5E:00:01:64', anycastGateways: ['10.1.0.1/24', '10.0.0.1/24'],
         nodeSelector: {matchLabels: {a: 'b'}}, advertiseNeighbors: false,
         createMacVLANInterface: false}],
       vrf: [{vrf: 'b', seq: 1, mtu: 1500, import: [{cidr: '2001:DB8::7/32', action: 'permit'}],
              export: [{cidr: '10.1.1.1/8', seq: 0}, {cidr: '10.0.0.0/8', seq: 2},
                       {cidr: '11.0.0.0/8', seq: 1}], aggregate: ['10.0.0.0/9', '10.0.0.0/10']},
             {vrf: 'a', seq: 2, import: [{cidr: '10.9.9.9/8', action: 'deny', seq: 7},
                                         {cidr: '0.0.0.0/0', action: 'permit'}]},
             {vrf: 'a', seq: 1, mtu: null}],
       routingTable: [{tableId: 2}, {tableId: 1}, {tableId: 10}]}
      """;

  private static final String DISAGREEING =
      "{vrf: [{vrf: 'a', seq: 2, mtu: 1500}, {vrf: 'a', seq: 1}]}";

  private static final String T_CAAS =
      """
      {revision: 'x', layer2: [
         {id: 2, name: 'b', advertiseNeighbors: false, createMacVLANInterface: false},
         {id: 1, name: 'a', disableSegmentation: false, vrf: '', nodeSelector: {},
          anycastMac: '00:00:5E:00:01:64', anycastGateways: ['b', 'a']}],
       vrf: [{vrf: 'b', seq: 1, import: [{cidr: '10.1.2.3/8', seq: 5}, {cidr: 'x'}],
              aggregate: ['b', 'a'], communities: ['b', 'a'], sbrPrefixes: ['b', 'a']},
             {vrf: 'a', seq: 2, export: [{cidr: 'c', seq: 1}, {cidr: 'b', seq: 0}, {cidr: 'a'}],
              import: [{cidr: 'c', seq: 0}, {cidr: 'd', seq: -1}]},
             {vrf: 'a', seq: 1, nodeSelector: null}],
       bgp: [{name: 'b', holdTime: '1m30s', keepaliveTime: '0'}, {name: 'a', holdTime: '90s'}],
       mirrorTargets: [{name: 'b'}, {name: 'a'}], mirrorSelectors: [{name: 'b'}, {name: 'a'}]}
      """;

  private static final String IN_A_VRF =
      """
      {gres: {g: {}, h: {layer: null}, i: {layer: 'layer3'}, j: {layer: 'layer2'}},
       bgpPeers: [{password: 'p', address: 'a', holdTime: '1m30s', keepaliveTime: '0.5m'}],
       vrfImports: [{fromVrf: 'b'}, {fromVrf: 'a', filter: {}, x: null, y: []}],
       evpnImportRouteTargets: ['b', 'a'], evpnExportRouteTargets: ['2', '10'],
       policyRoutes: [{b: 1}, {a: 1}], redistribute: {}}
      """;

  private HashingSamples() {}

  static void addTo(HashingVectors vectors) {
    vectors.add("nodeconfig", "empty", json("{layer2: [], vrf: null}"));
    vectors.add(
        "nodeconfig",
        "empty within",
        json(
            "{layer2: [{id: 1, anycastGateways: []}], vrf: [{vrf: 'a', import: null, export:"
                + " null}]}"));
    vectors.add("nodeconfig", "sorting, defaults, spelling", json(IN_ORDER));
    vectors.add("nodeconfig", "VRFs that disagree keep their order", json(DISAGREEING));
    vectors.add(
        "nodeconfig",
        "other letters",
        json("{layer2: [{id: 1, 'ü': '€😀\"\\\\', '😀': 1, '\ufb33': 2}]}"));
    vectors.add("nodeconfig", "other types than a rule expects", json(ODD));
    vectors.add("nodeconfig", "numbers", numbers());
    for (var name : List.of("sorting, defaults, spelling", "VRFs that disagree")) {
      var content = object(name.startsWith("VRFs") ? DISAGREEING : IN_ORDER).put("revision", "x");
      vectors.add("schiff-node", name, content);
      var revision = object("{revision: 'x'}");
      revision.set("config", content);
      vectors.add("schiff-revision", name, revision);
    }
    vectors.add("schiff-revision", "nothing", json("{revision: 'x', config: {revision: ''}}"));
    vectors.add("t-caas-revision", "sorting, absent is zero, durations", json(T_CAAS));
    vectors.add("t-caas-node", "maps, secrets, empty objects", inVrfs(object(IN_A_VRF)));
    WITH_NETWORKS.forEach(guard -> vectors.add(guard, "networks", networks(guard)));
    vectors.add("t-caas-revision", "durations, networks as written", durationsOfPeerings());
    vectors.add("t-caas-node", "durations", durationsOfPeers());
    vectors.add("nodeconfig", "MAC addresses", macs());
    vectors.add("schiff-revision", "MAC addresses", object("{}").set("config", macs()));
    vectors.add("schiff-node", "MAC addresses", macs());
    vectors.add("t-caas-revision", "MAC addresses", macs());
    vectors.add("t-caas-node", "MAC addresses", macsOfMap());
  }

  private static final String ODD =
      """
      {layer2: [{id: {}}, {id: 2}, {id: 1, anycastMac: 7, anycastGateways: [{}, 1, null, 'x']}],
       vrf: [{vrf: true, seq: 1, mtu: 9000.0}, {vrf: 10}, {vrf: '10'}, {seq: 3}, {vrf: false},
             {vrf: 9, import: [{seq: 1.5}, {cidr: 'a'}], export: [{seq: '1'}, 7]}],
       routingTable: {tableId: 1}}
      """;

  private static ObjectNode inVrfs(ObjectNode vrf) {
    var spec =
        object("{revision: 'x', layer2s: {'100': {irb: {macAddress: 'AA:BB:CC:DD:EE:FF'}}}}");
    spec.set("clusterVRF", vrf);
    spec.putObject("fabricVRFs").set("m", vrf);
    spec.putObject("localVRFs").set("l", vrf);
    return spec;
  }

  private static JsonNode networks(String guard) {
    var spec = object("{}");
    var config = guard.equals("schiff-revision") ? spec.putObject("config") : spec;
    var vrf = config.putArray("vrf").addObject();
    for (var network : Edges.NETWORKS) {
      vrf.withArray("import").addObject().put("cidr", network);
    }
    vrf.putArray("export").addObject().put("cidr", "10.1.2.3/8");
    return spec;
  }

  private static JsonNode durationsOfPeerings() {
    var spec = object("{vrf: [{import: [{cidr: '2001:DB8::7/32'}]}]}");
    for (var duration : Edges.DURATIONS) {
      spec.withArray("bgp").addObject().put("holdTime", duration).put("keepaliveTime", duration);
    }
    return spec;
  }

  private static JsonNode durationsOfPeers() {
    var vrf = object("{}");
    for (var duration : Edges.DURATIONS) {
      vrf.withArray("bgpPeers")
          .addObject()
          .put("holdTime", duration)
          .put("keepaliveTime", duration);
    }
    return inVrfs(vrf);
  }

  private static ObjectNode macs() {
    var spec = object("{}");
    for (var mac : Edges.MACS) {
      spec.withArray("layer2").addObject().put("anycastMac", mac);
    }
    return spec;
  }

  private static JsonNode macsOfMap() {
    var spec = object("{}");
    for (var mac : Edges.MACS) {
      spec.withObject("layer2s").putObject("of " + mac).putObject("irb").put("macAddress", mac);
    }
    return spec;
  }

  /** But those beyond a double's range, which many parsers refuse. */
  private static JsonNode numbers() {
    var spec = object("{}");
    for (var number : Edges.NUMBERS) {
      if (Double.isFinite(Double.parseDouble(number))) {
        spec.withArray("numbers").addRawValue(new RawValue(number));
        var routes = spec.withArray("vrf").addObject().putArray("import");
        routes.addObject().put("cidr", "b").putRawValue("seq", new RawValue(number));
        routes.addObject().put("cidr", "a").put("seq", 1);
      }
    }
    return spec;
  }
}
