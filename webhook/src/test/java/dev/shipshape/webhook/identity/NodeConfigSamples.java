package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
  ObjectNode respelled(ObjectNode spec) {
    var other = spec.deepCopy();
    shuffle(other, "layer2");
    shuffle(other, "vrf");
    shuffle(other, "routingTable");
    other.path("layer2").forEach(layer2 -> respellLayer2((ObjectNode) layer2));
    other.path("vrf").forEach(vrf -> respellVrf((ObjectNode) vrf));
    dropIfEmpty(other, "layer2");
    return shuffledMembers(other);
  }

  private void respellLayer2(ObjectNode layer2) {
    shuffle(layer2, "anycastGateways");
    if (layer2.has("anycastMac") && random.nextBoolean()) {
      layer2.put("anycastMac", layer2.path("anycastMac").asText().toUpperCase(Locale.ROOT));
    }
    if (random.nextBoolean()) {
      layer2.put("advertiseNeighbors", false);
    }
    if (!layer2.has("vrf") && random.nextBoolean()) {
      layer2.put("vrf", "");
    }
    if (random.nextBoolean()) {
      layer2.putObject("nodeSelector").putObject("matchLabels").put("a", "b");
    }
    if (!layer2.has("anycastGateways") && random.nextBoolean()) {
      layer2.putArray("anycastGateways");
    }
  }

  private void respellVrf(ObjectNode vrf) {
    if (random.nextBoolean()) {
      vrf.remove("mtu");
    }
    shuffle(vrf, "import");
    shuffle(vrf, "export");
    for (var route : vrf.path("import")) {
      if (random.nextBoolean()) {
        var cidr = route.path("cidr").asText().replace(".0.0/16", ".7.9/16");
        ((ObjectNode) route).put("cidr", cidr);
      }
    }
    dropIfEmpty(vrf, "export");
  }

  private void dropIfEmpty(ObjectNode object, String field) {
    if (object.path(field).isEmpty()) {
      switch (random.nextInt(3)) {
        case 0 -> object.remove(field);
        case 1 -> object.putNull(field);
        default -> object.putArray(field);
      }
    }
  }

  private void shuffle(ObjectNode object, String field) {
    if (object.get(field) instanceof ArrayNode list) {
      var elements = new ArrayList<>(List.copyOf(list.valueStream().toList()));
      Collections.shuffle(elements, random);
      list.removeAll().addAll(elements);
    }
  }

  private ObjectNode shuffledMembers(ObjectNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    Collections.shuffle(names, random);
    var shuffled = NODES.objectNode();
    names.forEach(name -> shuffled.set(name, object.get(name)));
    return shuffled;
  }
}
