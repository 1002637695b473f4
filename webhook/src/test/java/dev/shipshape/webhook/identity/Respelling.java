package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Writes a normalised configuration otherwise, in ways that docs/reference/hashing.md says mean
 * nothing. Reads the rules as they are written, and shares no code with what it is to try.
 */
final class Respelling {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Some of those with room for a host. */
  private static final String NET =
      "^((?:(?:1\\d\\d|[1-9]\\d|\\d)\\.){2}(?:1\\d\\d|[1-9]\\d|\\d))\\.0/(\\d|1\\d|2[0-4])\\z";

  private final ObjectNode rules;
  private final Random random;

  /** A member or an element, which need not be there. */
  private record Place(JsonNode parent, String name) {
    JsonNode get() {
      return parent.isArray() ? parent.path(Integer.parseInt(name)) : parent.path(name);
    }

    void set(JsonNode value) {
      if (parent instanceof ArrayNode list) {
        list.set(Integer.parseInt(name), value);
      } else if (parent instanceof ObjectNode object) {
        object.set(name, value);
      }
    }
  }

  /**
   * @param rules a guard's identity section; no default of it is contradicted by what it says is
   *     the same as absent
   */
  Respelling(ObjectNode rules, Random random) {
    this.rules = rules;
    this.random = random;
  }

  /** The same configuration; its numbers are raw values. */
  JsonNode of(JsonNode normalised) {
    var content = NODES.objectNode().set("root", normalised.deepCopy());
    // By what is there now: what follows changes keys.
    for (var rule : rules.path("sorted")) {
      var by = rule.path("by").valueStream().map(JsonNode::asText).toList();
      shuffle(
          content, rule.path("list").asText(), by.isEmpty() ? List.of("") : by, "STRING NUMBER");
    }
    for (var rule : rules.path("sequences")) {
      shuffle(content, rule.path("list").asText(), List.of(rule.path("field").asText()), "NUMBER");
    }
    rules.path("defaults").forEachEntry((path, value) -> exchange(content, path, value, null));
    rules.path("sameAsAbsent").forEachEntry((path, value) -> exchange(content, path, null, value));
    for (var path : List.of(rules.path("drop"), rules.path("secret"))) {
      path.forEach(each -> exchange(content, each.asText(), null, NODES.textNode("dropped")));
    }
    rules
        .path("spelling")
        .forEachEntry(
            (path, kind) ->
                places(content, path)
                    .filter(place -> place.get().isTextual() && chance())
                    .forEach(place -> place.set(NODES.textNode(spelled(place.get(), kind)))));
    return otherwise(content.path("root"));
  }

  private boolean chance() {
    return random.nextInt(3) == 0;
  }

  /** A value for another one; null for a member that is absent. */
  private void exchange(JsonNode content, String path, JsonNode from, JsonNode to) {
    for (var place : places(content, path).toList()) {
      if (place.parent() instanceof ObjectNode object
          && written(place.get()).equals(written(from))
          && chance()) {
        if (to == null) {
          object.remove(place.name());
        } else {
          object.set(place.name(), to);
        }
      }
    }
  }

  /**
   * Shuffles lists in which every element has a first key of its own, and all keys are of these
   * types; its other keys need not be there.
   */
  private void shuffle(JsonNode content, String path, List<String> by, String types) {
    for (var place : places(content, path).toList()) {
      var elements = new ArrayList<>(place.get().valueStream().toList());
      var keys = new HashSet<JsonNode>();
      var isShuffled =
          elements.stream()
              .allMatch(
                  each ->
                      isKey(key(each, by.getFirst()), types)
                          && keys.add(key(each, by.getFirst()))
                          && by.stream().allMatch(k -> isKey(key(each, k), types + " MISSING")));
      if (isShuffled && place.get() instanceof ArrayNode list) {
        Collections.shuffle(elements, random);
        list.removeAll().addAll(elements);
      }
    }
  }

  private static JsonNode key(JsonNode element, String name) {
    return name.isEmpty() ? element : element.path(name);
  }

  private static boolean isKey(JsonNode key, String types) {
    return types.contains(key.getNodeType().name())
        && (!key.isNumber() || key.isInt() && key.intValue() > 0);
  }

  private static String spelled(JsonNode value, JsonNode kind) {
    var text = value.asText();
    return switch (kind.asText()) {
      case "mac" -> upperIf(text, "[0-9a-f]{2}(:[0-9a-f]{2}){5}");
      // IPv4 in IPv6 stays what it is.
      case "network" ->
          upperIf(text, "(?!.*:ffff:)([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}/([1-9]\\d|\\d)")
              .replaceFirst(NET, "$1.7/$2");
      default -> text.replaceFirst("^(-?)(\\d{1,18})ns\\z", "$10h.0s$2.0ns");
    };
  }

  private static String upperIf(String text, String pattern) {
    return text.matches(pattern) ? text.toUpperCase(Locale.ROOT) : text;
  }

  /** Members in another order, with others that mean nothing; numbers in another spelling. */
  private JsonNode otherwise(JsonNode value) {
    if (value.isArray()) {
      var list = NODES.arrayNode();
      value.forEach(element -> list.add(otherwise(element)));
      return list;
    }
    if (!(value instanceof ObjectNode object)) {
      var number = chance() ? written(value).replaceFirst("^-?\\d{1,15}$", "$0.0") : written(value);
      return value.isNumber() ? NODES.rawValueNode(new RawValue(number)) : value;
    }
    var members = new ArrayList<>(object.properties());
    Collections.shuffle(members, random);
    var other = NODES.objectNode();
    members.forEach(member -> other.set(member.getKey(), otherwise(member.getValue())));
    for (var absence : rules.path("absent")) {
      if (!absence.asText().equals("empty-object") && chance()) {
        var nothing = absence.asText().equals("null") ? NODES.nullNode() : NODES.arrayNode();
        other.set("no " + absence.asText(), nothing);
      }
    }
    return other;
  }

  /** Where a path leads in the content, whose root has a name. */
  private static Stream<Place> places(JsonNode content, String path) {
    var places = Stream.of(new Place(content, "root"));
    for (var step : path.replace("[]", ".[]").split("\\.")) {
      places = places.map(Place::get).flatMap(value -> within(value, step));
    }
    return places;
  }

  private static Stream<Place> within(JsonNode value, String step) {
    if (step.equals("[]")) {
      return value.isArray()
          ? Stream.iterate(0, i -> i < value.size(), i -> i + 1).map(i -> new Place(value, "" + i))
          : Stream.of();
    }
    return !value.isObject()
        ? Stream.of()
        : step.equals("*")
            ? value.propertyStream().map(member -> new Place(value, member.getKey()))
            : Stream.of(new Place(value, step));
  }

  /** Canonical; of what is absent, something that no value has. */
  private static String written(JsonNode value) {
    return value == null || value.isMissingNode()
        ? ""
        : new String(CanonicalJson.write(value), StandardCharsets.UTF_8);
  }
}
