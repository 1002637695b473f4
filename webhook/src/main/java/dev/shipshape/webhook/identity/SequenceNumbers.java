package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;

/**
 * Makes sequence numbers effective and brings the elements into their order.
 *
 * @param field the number's field
 * @param absent what stands for an absent number
 */
public record SequenceNumbers(String field, AbsentNumber absent) {
  /** What an element without a (positive) sequence number is taken to have. */
  public enum AbsentNumber {
    /** Its position in the list, counted from 1. */
    POSITION,
    /** Nothing, and it goes before those that have one. */
    ZERO
  }

  private record Numbered(long number, ObjectNode element) {}

  /** The list as it takes effect; unchanged if any element is no object or any number no number. */
  ArrayNode apply(ArrayNode list) {
    for (var element : list) {
      if (!element.isObject() || !isNumber(element.path(field))) {
        return list;
      }
    }
    var numbered = new ArrayList<Numbered>(list.size());
    for (var element : list) {
      numbered.add(effective((ObjectNode) element, numbered.size() + 1));
    }
    numbered.sort(Comparator.comparingLong(Numbered::number));
    var effective = JsonNodeFactory.instance.arrayNode(list.size());
    numbered.forEach(entry -> effective.add(entry.element()));
    return effective;
  }

  private static boolean isNumber(JsonNode value) {
    return value.isMissingNode() || (value.isIntegralNumber() && value.canConvertToLong());
  }

  private Numbered effective(ObjectNode element, int position) {
    var own = element.path(field).asLong(0);
    if (own > 0 || absent == AbsentNumber.ZERO) {
      return new Numbered(own, element);
    }
    return new Numbered(position, Normaliser.copy(element).put(field, position));
  }
}
