package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts lists whose order has no meaning.
 *
 * @param keys the fields to sort by; elements with equal keys keep their order. If empty, the
 *     elements are sorted by value and must be scalars
 * @param agreeing a field that must be equal in all elements with the same first key; otherwise the
 *     list is not sorted, because the first of these elements would win
 */
public record ElementOrder(List<String> keys, @Nullable String agreeing) {
  /** Missing, then booleans, then integers by value, then strings by UTF-16 code units. */
  private static final Comparator<JsonNode> BY_VALUE =
      Comparator.<JsonNode>comparingInt(ElementOrder::rank)
          .thenComparing(
              (one, other) ->
                  switch (rank(one)) {
                    case 1 -> Boolean.compare(one.booleanValue(), other.booleanValue());
                    case 2 ->
                        one.canConvertToLong() && other.canConvertToLong()
                            ? Long.compare(one.longValue(), other.longValue())
                            : one.bigIntegerValue().compareTo(other.bigIntegerValue());
                    case 3 -> one.textValue().compareTo(other.textValue());
                    default -> 0;
                  });

  public ElementOrder {
    keys = List.copyOf(keys);
  }

  /** Sorts; returns the list itself if a key is not comparable or the elements do not agree. */
  ArrayNode apply(ArrayNode list) {
    for (var element : list) {
      if (!isSortable(element)) {
        return list;
      }
    }
    if (!agree(list)) {
      return list;
    }
    var elements = new ArrayList<JsonNode>(list.size());
    list.forEach(elements::add);
    elements.sort(byKeys());
    return JsonNodeFactory.instance.arrayNode(list.size()).addAll(elements);
  }

  private boolean isSortable(JsonNode element) {
    if (keys.isEmpty()) {
      return isKey(element);
    }
    for (var name : keys) {
      var key = element.get(name);
      if (key != null && !isKey(key)) {
        return false;
      }
    }
    return element.isObject();
  }

  private static boolean isKey(JsonNode value) {
    return value.isIntegralNumber() || value.isTextual() || value.isBoolean();
  }

  private boolean agree(ArrayNode list) {
    if (agreeing == null) {
      return true;
    }
    var first = new HashMap<JsonNode, JsonNode>();
    for (var element : list) {
      var value = element.path(agreeing);
      var before = first.putIfAbsent(element.path(keys.getFirst()), value);
      if (before != null && !before.equals(value)) {
        return false;
      }
    }
    return true;
  }

  private Comparator<JsonNode> byKeys() {
    return keys.stream()
        .map(key -> Comparator.<JsonNode, JsonNode>comparing(at -> at.path(key), BY_VALUE))
        .reduce(Comparator::thenComparing)
        .orElse(BY_VALUE);
  }

  private static int rank(JsonNode value) {
    return switch (value.getNodeType()) {
      case MISSING -> 0;
      case BOOLEAN -> 1;
      case NUMBER -> 2;
      default -> 3;
    };
  }
}
