package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** Random NodeConfig specs, and random spellings of what means the same. */
final class NodeConfigSamples {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Random random;

  NodeConfigSamples(long seed) {
    this(new Random(seed));
  }

  NodeConfigSamples(Random random) {
    this.random = random;
  }

  ObjectNode spec() {
    var spec = NODES.objectNode();
    var layer2 = spec.putArray("layer2");
    for (var index = 0; index < random.nextInt(6); index++) {
      layer2.add(layer2(100 + index));
    }
    var vrf = spec.putArray("vrf");
    for (var index = 0; index < random.nextInt(5); index++) {
      vrf.add(vrf("vrf" + random.nextInt(3), index + 1));
    }
    var tables = spec.putArray("routingTable");
    for (var index = 0; index < random.nextInt(4); index++) {
      tables.addObject().put("tableId", 1000 + index);
    }
    return spec;
  }

  private ObjectNode layer2(int id) {
    var layer2 = NODES.objectNode().put("id", id).put("mtu", 1500).put("vni", 10000 + id);
    if (random.nextBoolean()) {
      layer2.put("anycastMac", "00:00:5e:00:01:%02x".formatted(random.nextInt(256)));
      var gateways = layer2.putArray("anycastGateways");
      for (var index = 0; index <= random.nextInt(3); index++) {
        gateways.add("10.%d.%d.1/24".formatted(id % 256, index));
      }
    }
    if (random.nextBoolean()) {
      layer2.put("neighSuppression", random.nextBoolean());
    }
    if (random.nextBoolean()) {
      layer2.put("vrf", "vrf" + random.nextInt(3));
    }
    return layer2;
  }

  private ObjectNode vrf(String name, int seq) {
    var vrf = NODES.objectNode().put("vrf", name).put("seq", seq).put("mtu", 9000);
    vrf.set("import", routes());
    vrf.set("export", routes());
    return vrf;
  }

  private ArrayNode routes() {
    var routes = NODES.arrayNode();
    for (var index = 0; index < random.nextInt(4); index++) {
      routes
          .addObject()
          .put("cidr", "10.%d.0.0/16".formatted(random.nextInt(256)))
          .put("action", random.nextBoolean() ? "permit" : "deny")
          .put("seq", 10 * (index + 1));
    }
    return routes;
  }

  /** The same configuration, written differently in every way that means nothing. */
  JsonNode respelled(ObjectNode spec) {
    return new Respelling(PresetGuards.rules("nodeconfig"), random).of(spec);
  }
}
