package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites an object so that equal meanings get equal JSON. A value with another type than a rule
 * expects is not changed: a wrong "equal" refuses a good configuration, a wrong "different" only
 * misses a bad one.
 *
 * @param absences values that mean the same as a missing field, in all fields
 */
@SuppressWarnings("ReferenceEquality") // To see whether a value was copied.
record Normaliser(Set<EmptyValues> absences, RuleTree rules) {
  /** Rewrites numbers only. */
  static final Normaliser NOTHING = new Normaliser(Set.of(), RuleTree.EMPTY);

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  JsonNode normalise(JsonNode content) {
    return normalise(content, rules);
  }

  /** Returns the value itself if nothing changes; otherwise a copy. */
  private JsonNode normalise(JsonNode value, RuleTree place) {
    return switch (value) {
      case ObjectNode object -> object(object, place);
      case ArrayNode array -> array(array, place);
      case TextNode text -> text(text, place);
      case NumericNode number when !number.isInt() -> CanonicalNumber.reduced(number);
      default -> value;
    };
  }

  private JsonNode object(ObjectNode object, RuleTree place) {
    var normalised = object;
    for (var field : object.properties()) {
      var name = field.getKey();
      var rules = place.member(name);
      var value = rules.dropped ? null : effective(normalise(field.getValue(), rules), rules);
      if (value != field.getValue()) {
        normalised = normalised == object ? copy(object) : normalised;
        set(normalised, name, value);
      }
    }
    for (var withDefault : place.defaults.entrySet()) {
      var rules = withDefault.getValue();
      if (rules.dropped || !object.has(withDefault.getKey())) {
        normalised = normalised == object ? copy(object) : normalised;
        set(normalised, withDefault.getKey(), effective(rules.requiredDefault(), rules));
      }
    }
    return normalised;
  }

  /** Returns the effective value; null if it means the same as a missing member. */
  private @Nullable JsonNode effective(JsonNode value, RuleTree rules) {
    var defaultValue = rules.defaultValue;
    var effective = defaultValue != null && isAbsent(value) ? defaultValue : value;
    return isAbsent(effective) || rules.sameAsAbsent.contains(effective) ? null : effective;
  }

  private static void set(ObjectNode object, String name, @Nullable JsonNode value) {
    if (value == null) {
      object.remove(name);
    } else {
      object.set(name, value);
    }
  }

  static ObjectNode copy(ObjectNode object) {
    return NODES.objectNode().setAll(object);
  }

  private boolean isAbsent(JsonNode value) {
    for (var absence : absences) {
      if (absence.holds(value)) {
        return true;
      }
    }
    return false;
  }

  private JsonNode array(ArrayNode array, RuleTree place) {
    var normalised = array;
    for (var at = 0; at < array.size(); at++) {
      var element = normalise(array.get(at), place.element());
      if (element != array.get(at)) {
        normalised = normalised == array ? NODES.arrayNode(array.size()).addAll(array) : normalised;
        normalised.set(at, element);
      }
    }
    var sequence = place.sequence;
    var numbered = sequence == null ? normalised : sequence.apply(normalised);
    var sorted = place.sorted;
    return sorted == null ? numbered : sorted.apply(numbered);
  }

  private static JsonNode text(TextNode text, RuleTree place) {
    var spelling = place.spelling;
    return spelling == null ? text : TextNode.valueOf(spelling.canonical(text.textValue()));
  }
}
