package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;

/** Makes sequence numbers effective and brings the elements into their order. */
final class SequenceNumbers {
  private record Numbered(long number, ObjectNode element) {}

  private SequenceNumbers() {}

  /** The list as it takes effect; unchanged if any element is no object or any number no number. */
  static ArrayNode apply(Rule.Sequence rule, ArrayNode list) {
    for (var element : list) {
      if (!element.isObject() || !isNumber(element.path(rule.field()))) {
        return list;
      }
    }
    var numbered = new ArrayList<Numbered>(list.size());
    for (var element : list) {
      numbered.add(effective(rule, (ObjectNode) element, numbered.size() + 1));
    }
    numbered.sort(Comparator.comparingLong(Numbered::number));
    var effective = JsonNodeFactory.instance.arrayNode(list.size());
    numbered.forEach(entry -> effective.add(entry.element()));
    return effective;
  }

  private static boolean isNumber(JsonNode value) {
    return value.isMissingNode() || (value.isIntegralNumber() && value.canConvertToLong());
  }

  private static Numbered effective(Rule.Sequence rule, ObjectNode element, int position) {
    var own = element.path(rule.field()).asLong(0);
    if (own > 0 || rule.absent() == Rule.AbsentNumber.ZERO) {
      return new Numbered(own, element);
    }
    return new Numbered(position, Normaliser.copy(element).put(rule.field(), position));
  }
}
