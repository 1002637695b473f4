package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;

/** Sorts the elements by sequence number. Those without one have that of {@code absent}. */
public record SequenceNumbers(String field, AbsentNumber absent) {
  /** The value of a missing sequence number, or one that is not positive. */
  public enum AbsentNumber {
    /** The position in the list, counted from 1. */
    POSITION,
    /** 0, so that the element is sorted before those with a number. */
    ZERO
  }

  /** Returns the sorted list; the list itself if an element or a number is invalid. */
  ArrayNode apply(ArrayNode list) {
    if (!list.valueStream().allMatch(each -> each.isObject() && isNumber(each.path(field)))) {
      return list;
    }
    var elements = new ArrayList<ObjectNode>(list.size());
    for (var element : list) {
      elements.add(effective((ObjectNode) element, elements.size() + 1));
    }
    elements.sort(Comparator.comparingLong(element -> element.path(field).asLong(0)));
    return JsonNodeFactory.instance.arrayNode(elements.size()).addAll(elements);
  }

  private static boolean isNumber(JsonNode value) {
    return value.isMissingNode() || (value.isIntegralNumber() && value.canConvertToLong());
  }

  private ObjectNode effective(ObjectNode element, int position) {
    return element.path(field).asLong(0) > 0 || absent == AbsentNumber.ZERO
        ? element
        : Normaliser.copy(element).put(field, position);
  }
}
