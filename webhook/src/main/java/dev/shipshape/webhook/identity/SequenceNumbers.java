package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;

/** Fills in missing sequence numbers, by {@code absent}, and sorts the elements by them. */
public record SequenceNumbers(String field, AbsentNumber absent) {
  /** The value of a missing sequence number, or one that is not positive. */
  public enum AbsentNumber {
    /** The position in the list, counted from 1. */
    POSITION,
    /** 0, so that the element is sorted before those with a number. */
    ZERO
  }

  private record Numbered(long number, ObjectNode element) {}

  /** Returns the sorted list; the list itself if an element or a number is invalid. */
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
