package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Canonical JSON as simply as it can be said, from a tree, character by character. */
final class PlainCanonicalJson {
  private PlainCanonicalJson() {}

  static String write(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> object(value);
      case ARRAY ->
          value
              .valueStream()
              .map(PlainCanonicalJson::write)
              .collect(Collectors.joining(",", "[", "]"));
      case STRING -> text(value.textValue());
      case NUMBER ->
          value.isIntegralNumber() ? value.bigIntegerValue().toString() : CanonicalNumber.of(value);
      default -> value.asText();
    };
  }

  private static String object(JsonNode object) {
    var sorted = new TreeMap<String, String>();
    object.properties().forEach(one -> sorted.put(one.getKey(), write(one.getValue())));
    return sorted.entrySet().stream()
        .map(one -> text(one.getKey()) + ":" + one.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String text(String text) {
    return text.codePoints()
        .mapToObj(PlainCanonicalJson::character)
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static String character(int point) {
    return switch (point) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\b' -> "\\b";
      case '\f' -> "\\f";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          point < ' ' || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
              ? "\\u%04x".formatted(point)
              : Character.toString(point);
    };
  }
}
