package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Set;

/**
 * Rewrites an object so that what means the same becomes the same. It takes any JSON: a value that
 * is not of the type a rule expects stays as it is, since a wrong "equal" refuses a good
 * configuration and a wrong "different" only misses a bad one.
 *
 * @param absences what everywhere means the same as a field's absence
 */
record Normaliser(Set<EmptyValues> absences, RuleTree rules) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  JsonNode normalise(JsonNode content) {
    return normalise(content, rules);
  }

  /** Of objects and lists a copy, which may be changed. */
  private JsonNode normalise(JsonNode value, RuleTree place) {
    return switch (value) {
      case ObjectNode object -> object(object, place);
      case ArrayNode array -> array(array, place);
      case TextNode text -> text(text, place);
      case NumericNode number when !number.isIntegralNumber() ->
          CanonicalNumber.reduced(number.decimalValue());
      default -> value;
    };
  }

  private JsonNode object(ObjectNode object, RuleTree place) {
    var normalised = NODES.objectNode();
    for (var field : object.properties()) {
      var rules = place.member(field.getKey());
      if (!rules.dropped()) {
        var value = normalise(field.getValue(), rules);
        var standsFor = rules.defaultValue();
        set(
            normalised,
            field.getKey(),
            standsFor != null && isAbsent(value) ? standsFor : value,
            rules);
      }
    }
    for (var fillIn : place.defaults().entrySet()) {
      var rules = fillIn.getValue();
      if (rules.dropped() || !object.has(fillIn.getKey())) {
        set(normalised, fillIn.getKey(), rules.requiredDefault(), rules);
      }
    }
    return normalised;
  }

  /** Unless it means the same as the member's absence. */
  private void set(ObjectNode object, String name, JsonNode value, RuleTree rules) {
    if (!isAbsent(value) && !rules.countsAsAbsent(value)) {
      object.set(name, value);
    }
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
    var normalised = NODES.arrayNode(array.size());
    array.forEach(element -> normalised.add(normalise(element, place.element())));
    var sequence = place.sequence();
    var numbered = sequence == null ? normalised : SequenceNumbers.apply(sequence, normalised);
    var sorted = place.sorted();
    return sorted == null ? numbered : ElementOrder.apply(sorted, numbered);
  }

  private static JsonNode text(TextNode text, RuleTree place) {
    var spelling = place.spelling();
    return spelling == null ? text : TextNode.valueOf(spelling.canonical(text.textValue()));
  }
}
