package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
          .thenComparing(JsonNode::booleanValue)
          .thenComparing(JsonNode::bigIntegerValue)
          .thenComparing(value -> value.asText());

  public ElementOrder {
    keys = List.copyOf(keys);
  }

  /** Sorts; returns the list itself if a key is not comparable or the elements do not agree. */
  ArrayNode apply(ArrayNode list) {
    if (!list.valueStream().allMatch(this::isSortable) || !agree(list)) {
      return list;
    }
    var sorted = list.valueStream().sorted(byKeys()).toList();
    return JsonNodeFactory.instance.arrayNode(sorted.size()).addAll(sorted);
  }

  private boolean isSortable(JsonNode element) {
    if (keys.isEmpty()) {
      return isKey(element);
    }
    return element.isObject()
        && keys.stream().map(element::get).allMatch(key -> key == null || isKey(key));
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
