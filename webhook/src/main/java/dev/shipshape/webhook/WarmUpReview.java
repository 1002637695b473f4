package dev.shipshape.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.config.GuardedResource;
import org.jspecify.annotations.Nullable;

/**
 * Reviews such as they come, of about 24 KB an object, to warm up with. The fields are those of
 * node network configurations; to a guard of another kind they are any other fields.
 */
final class WarmUpReview {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String NAME = "shipshape-warm-up";
  private static final int NETWORKS = 40;
  private static final int VRFS = 8;
  private static final int ROUTES = 20;

  private WarmUpReview() {}

  static String creation(GuardedResource resource) {
    return review(resource, "CREATE", object(resource, 1), null);
  }

  static String update(GuardedResource resource) {
    return review(resource, "UPDATE", object(resource, 1), object(resource, 2));
  }

  private static String review(
      GuardedResource resource,
      String operation,
      ObjectNode object,
      @Nullable ObjectNode oldObject) {
    var request = NODES.objectNode().put("uid", NAME);
    request
        .putObject("resource")
        .put("group", resource.group())
        .put("version", resource.version())
        .put("resource", resource.plural());
    request.put("name", NAME).put("operation", operation);
    request.putObject("userInfo").put("username", NAME).putArray("groups").add("system:masters");
    request.set("object", object);
    request.set("oldObject", oldObject);
    return NODES
        .objectNode()
        .put("kind", "AdmissionReview")
        .put("apiVersion", "admission.k8s.io/v1")
        .<ObjectNode>set("request", request.put("dryRun", true))
        .toString();
  }

  private static ObjectNode object(GuardedResource resource, int vni) {
    var object =
        NODES
            .objectNode()
            .put("apiVersion", resource.group() + "/" + resource.version())
            .put("kind", resource.kind());
    object.putObject("metadata").put("name", NAME).putObject("annotations").put("a", "b");
    var spec = object.putObject("spec");
    var networks = spec.putArray("layer2");
    for (var id = 0; id < NETWORKS; id++) {
      var network = networks.addObject().put("id", id).put("mtu", 1500).put("vni", vni + id);
      network.put("anycastMac", "00:00:5E:00:01:64").put("vrf", "vrf-" + id % VRFS);
      network.putArray("anycastGateways").add("10.100.%d.1/24".formatted(id));
    }
    var vrfs = spec.putArray("vrf");
    for (var index = 0; index < VRFS; index++) {
      var vrf = vrfs.addObject().put("vrf", "vrf-" + index).put("seq", 10);
      for (var direction : new String[] {"import", "export"}) {
        var routes = vrf.putArray(direction);
        for (var route = 0; route < ROUTES; route++) {
          routes
              .addObject()
              .put("cidr", "10.%d.%d.7/24".formatted(index, route))
              .put("action", "permit")
              .put("le", 32);
        }
      }
    }
    spec.putArray("routingTable").addObject().put("tableId", 1000);
    return object;
  }
}
