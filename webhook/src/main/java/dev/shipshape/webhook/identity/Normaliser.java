package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Set;

/**
 * Rewrites an object so that what means the same becomes the same. It takes any JSON: a value that
 * is not of the type a rule expects stays as it is, since a wrong "equal" refuses a good
 * configuration and a wrong "different" only misses a bad one.
 */
final class Normaliser {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Set<Absence> absences;
  private final RuleTree rules;

  Normaliser(Set<Absence> absences, RuleTree rules) {
    this.absences = Set.copyOf(absences);
    this.rules = rules;
  }

  JsonNode normalise(JsonNode content) {
    return normalise(content, rules);
  }

  private JsonNode normalise(JsonNode value, RuleTree place) {
    return switch (value) {
      case ObjectNode object -> object(object, place);
      case ArrayNode array -> array(array, place);
      case TextNode text -> text(text, place);
      default -> value;
    };
  }

  private JsonNode object(ObjectNode object, RuleTree place) {
    var normalised = NODES.objectNode();
    for (var field : object.properties()) {
      var rule = place.member(field.getKey());
      if (!rule.dropped()) {
        var value = normalise(field.getValue(), rule);
        if (!isAbsent(value)) {
          normalised.set(field.getKey(), value);
        }
      }
    }
    place.namedMembers().forEach((name, rule) -> settle(normalised, name, rule));
    return normalised;
  }

  /** Fills in a default, then takes out what means the same as nothing. */
  private static void settle(ObjectNode object, String name, RuleTree rule) {
    var defaultValue = rule.defaultValue();
    if (defaultValue != null && !object.has(name)) {
      object.set(name, defaultValue);
    }
    var value = object.get(name);
    if (value != null && rule.countsAsAbsent(value)) {
      object.remove(name);
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
