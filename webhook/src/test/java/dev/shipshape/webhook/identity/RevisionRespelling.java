package dev.shipshape.webhook.identity;

import static dev.shipshape.webhook.Json.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Writes a configuration of the eras with revisions in other ways that mean the same. What means
 * the same is written down once more here, from the operators' behaviour and not from the presets.
 */
final class RevisionRespelling {
  private static final List<String> FALSE = List.of("false", "null");
  private static final List<String> EMPTY = List.of("[]", "null");

  /** In an era's revision, or in one node's part of it. */
  private static final Meaningless SCHIFF =
      new Meaningless(
          List.of(
              "layer2",
              "layer2[].anycastGateways",
              "vrf",
              "vrf[].aggregate",
              "vrf[].import",
              "vrf[].export",
              "routingTable"),
          Map.of(
              "layer2[].advertiseNeighbors", FALSE,
              "layer2[].createMacVLANInterface", FALSE,
              "layer2[].vrf", List.of("''", "null"),
              "layer2[].anycastGateways", EMPTY,
              "vrf[].mtu", List.of("9000", "null"),
              "vrf[].aggregate", EMPTY,
              "vrf[].import", EMPTY,
              "vrf[].community", List.of("null"),
              // The only element is the first one.
              "vrf[].export[].seq", List.of("0", "1", "null")),
          List.of(),
          List.of("layer2[].anycastMac", "vrf[].import[].cidr", "vrf[].export[].cidr"));

  private static final List<String> SELECTS_ALL = List.of("{}", "{matchLabels: {}}", "null");

  private static final Meaningless T_CAAS =
      new Meaningless(
          List.of(
              "layer2",
              "vrf",
              "vrf[].aggregate",
              "vrf[].import",
              "bgp",
              "mirrorTargets",
              "mirrorSelectors"),
          Map.of(
              "layer2[].advertiseNeighbors", FALSE,
              "layer2[].createMacVLANInterface", FALSE,
              "layer2[].disableSegmentation", FALSE,
              "layer2[].vrf", List.of("''", "null"),
              "layer2[].nodeSelector", SELECTS_ALL,
              "layer2[].anycastGateways", EMPTY,
              "vrf[].import", EMPTY,
              "vrf[].communities", EMPTY,
              "vrf[].export[].seq", List.of("0", "null"),
              "bgp[].nodeSelector", SELECTS_ALL),
          List.of("revision"),
          List.of("layer2[].anycastMac", "bgp[].holdTime", "bgp[].keepaliveTime"));

  private static final Map<String, Meaningless> BY_GUARD =
      Map.of(
          "schiff-revision",
          SCHIFF
              .plus(Map.of("layer2[].nodeSelector", SELECTS_ALL), List.of("revision"))
              .within("config.")
              .plus(Map.of(), List.of("revision")),
          "schiff-node",
          SCHIFF.plus(Map.of(), List.of("revision", "layer2[].nodeSelector")),
          "t-caas-revision",
          T_CAAS,
          "t-caas-node",
          Stream.of("clusterVRF.", "fabricVRFs.*.", "localVRFs.*.")
              .map(place -> inAVrf().within(place))
              .reduce(ofANode(), Meaningless::and));

  private final Meaningless rules;
  private final Random random;

  private RevisionRespelling(Meaningless rules, Random random) {
    this.rules = rules;
    this.random = random;
  }

  static RevisionRespelling of(String guard, long seed) {
    return new RevisionRespelling(
        BY_GUARD.getOrDefault(guard, SCHIFF.within("none.")), new Random(seed));
  }

  /**
   * Places within a specification.
   *
   * @param sets lists whose order means nothing
   * @param unsaid values that mean the same as none
   * @param ignored members that count for nothing
   * @param spelled texts with several spellings
   */
  private record Meaningless(
      List<String> sets,
      Map<String, List<String>> unsaid,
      List<String> ignored,
      List<String> spelled) {
    Meaningless plus(Map<String, List<String>> moreUnsaid, List<String> moreIgnored) {
      return and(new Meaningless(List.of(), moreUnsaid, moreIgnored, List.of()));
    }

    Meaningless and(Meaningless more) {
      var together = new HashMap<>(unsaid);
      together.putAll(more.unsaid);
      return new Meaningless(
          joined(sets, more.sets),
          together,
          joined(ignored, more.ignored),
          joined(spelled, more.spelled));
    }

    Meaningless within(String place) {
      var below = new HashMap<String, List<String>>();
      unsaid.forEach((path, values) -> below.put(place + path, values));
      return new Meaningless(
          sets.stream().map(place::concat).toList(),
          below,
          ignored.stream().map(place::concat).toList(),
          spelled.stream().map(place::concat).toList());
    }

    private static List<String> joined(List<String> some, List<String> more) {
      return Stream.concat(some.stream(), more.stream()).toList();
    }
  }

  private static Meaningless inAVrf() {
    return new Meaningless(
        List.of("vrfImports"),
        Map.of(
            "gres.*.layer",
            List.of("'layer3'", "null"),
            "mirrorAcls",
            EMPTY,
            "policyRoutes",
            EMPTY,
            "redistribute",
            List.of("null")),
        List.of("bgpPeers[].password"),
        List.of("bgpPeers[].holdTime", "bgpPeers[].keepaliveTime"));
  }

  private static Meaningless ofANode() {
    return new Meaningless(
        List.of("fabricVRFs.*.evpnImportRouteTargets", "fabricVRFs.*.evpnExportRouteTargets"),
        Map.of("layer2s.*.mirrorAcls", EMPTY),
        List.of("revision"),
        List.of("layer2s.*.irb.macAddress"));
  }

  /** The same, written otherwise. */
  ObjectNode respelled(ObjectNode object) {
    var other = object.deepCopy();
    rules.sets().forEach(path -> holders(other, path).forEach(at -> shuffle(at, last(path))));
    rules
        .unsaid()
        .forEach((path, values) -> holders(other, path).forEach(at -> unsay(at, path, values)));
    for (var path : rules.ignored()) {
      for (var holder : holders(other, path)) {
        if (random.nextBoolean()) {
          holder.put(last(path), "any " + random.nextInt());
        }
      }
    }
    rules.spelled().forEach(path -> holders(other, path).forEach(at -> spell(at, last(path))));
    return (ObjectNode) shuffledMembers(other);
  }

  /** The objects that may have the member at the end of the path. */
  private static List<ObjectNode> holders(ObjectNode object, String path) {
    var steps = FieldPath.parse("spec." + path).steps();
    var nodes = Stream.<JsonNode>of(object);
    for (var step : steps.subList(0, steps.size() - 1)) {
      nodes =
          switch (step) {
            case FieldPath.EVERY_ELEMENT, FieldPath.EVERY_MEMBER ->
                nodes.flatMap(JsonNode::valueStream);
            default -> nodes.map(node -> node.path(step));
          };
    }
    return nodes.filter(ObjectNode.class::isInstance).map(ObjectNode.class::cast).toList();
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private void shuffle(ObjectNode holder, String name) {
    if (holder.get(name) instanceof ArrayNode list) {
      var elements = new ArrayList<>(list.valueStream().toList());
      Collections.shuffle(elements, random);
      list.removeAll().addAll(elements);
    }
  }

  private void unsay(ObjectNode holder, String path, List<String> values) {
    var name = last(path);
    var same = values.stream().map(text -> json(text)).toList();
    if (holder.has(name) && !same.contains(holder.get(name))) {
      return;
    }
    var choice = random.nextInt(same.size() + 1);
    if (choice == same.size()) {
      holder.remove(name);
    } else {
      holder.set(name, same.get(choice).deepCopy());
    }
  }

  private void spell(ObjectNode holder, String name) {
    var text = holder.path(name).asText();
    var spellings =
        switch (text) {
          case "90s" -> List.of("1m30s", "90000ms", "+1.5m", "0.025h");
          case "30s" -> List.of("30.0s", ".5m", "29s1000ms");
          default ->
              text.endsWith(".0.0/16")
                  ? List.of(text.replace(".0.0/16", ".7.9/16"))
                  : List.of(text.toUpperCase(Locale.ROOT));
        };
    if (holder.has(name) && random.nextBoolean()) {
      holder.put(name, spellings.get(random.nextInt(spellings.size())));
    }
  }

  private JsonNode shuffledMembers(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        var members = new ArrayList<>(object.properties());
        Collections.shuffle(members, random);
        var copy = JsonNodeFactory.instance.objectNode();
        members.forEach(each -> copy.set(each.getKey(), shuffledMembers(each.getValue())));
        yield copy;
      }
      case ArrayNode list -> {
        var copy = JsonNodeFactory.instance.arrayNode();
        list.forEach(each -> copy.add(shuffledMembers(each)));
        yield copy;
      }
      default -> node;
    };
  }
}
