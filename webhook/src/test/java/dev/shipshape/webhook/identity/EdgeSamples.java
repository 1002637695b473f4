package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Whatever somebody may write where a configuration is expected, mostly near an edge of a rule. */
public final class EdgeSamples {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Random random;

  EdgeSamples(long seed) {
    this(new Random(seed));
  }

  public EdgeSamples(Random random) {
    this.random = random;
  }

  /** A value like this one, with many things in it otherwise. */
  public JsonNode like(JsonNode value) {
    if (oneIn(40)) {
      return any();
    }
    return switch (value) {
      case ObjectNode object -> members(object);
      case ArrayNode list -> elements(list);
      default -> oneIn(3) ? scalar(value) : value;
    };
  }

  private ObjectNode members(ObjectNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    Collections.shuffle(names, random);
    var like = NODES.objectNode();
    for (var name : names) {
      if (!oneIn(12)) {
        like.set(name, oneIn(20) ? spelled(name) : like(object.get(name)));
      }
    }
    if (oneIn(15)) {
      like.set(oneOf(Edges.TEXTS), any());
    }
    return like;
  }

  private ArrayNode elements(ArrayNode list) {
    var elements = new ArrayList<JsonNode>();
    for (var element : list) {
      for (var times = oneIn(6) ? 2 : 1; times > 0; times--) {
        elements.add(like(element));
      }
    }
    if (oneIn(3)) {
      Collections.shuffle(elements, random);
    }
    return NODES.arrayNode().addAll(elements);
  }

  private JsonNode scalar(JsonNode value) {
    return switch (value.getNodeType()) {
      case NUMBER -> oneIn(4) ? number() : NODES.numberNode(random.nextInt(4) - 1);
      case BOOLEAN -> NODES.booleanNode(random.nextBoolean());
      case STRING -> {
        var text = value.textValue();
        var kind = Edges.SPELLED.stream().filter(texts -> texts.contains(text)).findFirst();
        yield NODES.textNode(oneOf(kind.orElse(text.contains("/") ? Edges.NETWORKS : Edges.TEXTS)));
      }
      default -> any();
    };
  }

  /** Something that comes near what a member of this name may be. */
  private JsonNode spelled(String name) {
    return switch (name) {
      case "cidr" -> NODES.textNode(network());
      case "holdTime", "keepaliveTime" -> NODES.textNode(duration());
      case "anycastMac", "macAddress" -> NODES.textNode(oneOf(Edges.MACS));
      case "seq", "id", "mtu", "tableId" -> number();
      default -> any();
    };
  }

  private JsonNode any() {
    return switch (random.nextInt(8)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.arrayNode();
      case 2 -> NODES.objectNode();
      case 3 -> NODES.booleanNode(random.nextBoolean());
      case 4 -> number();
      case 5 -> NODES.arrayNode().add(number()).add(oneOf(Edges.TEXTS)).addNull();
      case 6 -> NODES.objectNode().put(oneOf(Edges.TEXTS), oneOf(Edges.TEXTS)).set("seq", number());
      default -> NODES.textNode(oneOf(Edges.SPELLED.get(random.nextInt(Edges.SPELLED.size()))));
    };
  }

  private JsonNode number() {
    return NODES.rawValueNode(new RawValue(oneOf(Edges.NUMBERS)));
  }

  /** What looks like a network, and often is none. */
  String network() {
    if (oneIn(2)) {
      return oneOf(Edges.NETWORKS);
    }
    var address = new StringBuilder();
    var isSix = random.nextBoolean();
    for (var count = isSix ? 1 + random.nextInt(9) : 4; count > 0; count--) {
      if (!address.isEmpty()) {
        address.append(isSix ? ":" : ".");
      }
      if (isSix && !oneIn(5)) {
        address.append(Integer.toHexString(random.nextInt(1 << (1 + random.nextInt(17)))));
      } else if (!isSix) {
        address.append(random.nextInt(260));
      }
    }
    return address + "/" + random.nextInt(isSix ? 132 : 35);
  }

  /** What looks like a duration, and often is none. */
  String duration() {
    if (oneIn(2)) {
      return oneOf(Edges.DURATIONS);
    }
    var duration = new StringBuilder(oneOf(List.of("", "-", "+")));
    for (var count = 1 + random.nextInt(4); count > 0; count--) {
      duration.append(random.nextInt(1 << random.nextInt(31)));
      if (random.nextBoolean()) {
        duration.append(".").append(random.nextInt(1000));
      }
      duration.append(oneOf(List.of("ns", "us", "µs", "μs", "ms", "s", "m", "h", "d", "")));
    }
    return duration.toString();
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }
}
