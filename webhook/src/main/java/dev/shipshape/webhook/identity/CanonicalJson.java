package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;

/**
 * JSON in the one form of RFC 8785: members sorted by UTF-16 code units, no white space, shortest
 * numbers and escapes.
 *
 * <p>Where that RFC gives up, this goes on, so that any JSON has a form: an integer beyond 2^53 is
 * written in full (rounding it would make two different values equal), a number beyond a double's
 * range as it was given, and half a surrogate pair as its escape.
 */
public final class CanonicalJson {
  private static final int USUAL_LENGTH = 16 * 1024;

  private final StringBuilder out = new StringBuilder(USUAL_LENGTH);

  private CanonicalJson() {}

  /** The canonical bytes, UTF-8. */
  public static byte[] write(JsonNode value) {
    var writer = new CanonicalJson();
    writer.value(value);
    return writer.out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void value(JsonNode value) {
    switch (value.getNodeType()) {
      case OBJECT -> object((ObjectNode) value);
      case ARRAY -> array(value);
      case STRING -> text(value.textValue());
      case NUMBER -> out.append(CanonicalNumber.of(value));
      case BOOLEAN -> out.append(value.booleanValue());
      case NULL, MISSING -> out.append("null");
      case BINARY, POJO ->
          throw new IllegalArgumentException("not parsed JSON: " + value.getNodeType());
    }
  }

  private void object(ObjectNode object) {
    var before = '{';
    for (var member : inOrder(object)) {
      out.append(before);
      text(member.getKey());
      out.append(':');
      value(member.getValue());
      before = ',';
    }
    out.append(before == '{' ? "{}" : "}");
  }

  /** By UTF-16 code units, as String's own order is; most have come so. */
  private static Collection<Map.Entry<String, JsonNode>> inOrder(ObjectNode object) {
    var members = object.properties();
    var last = "";
    for (var member : members) {
      if (member.getKey().compareTo(last) < 0) {
        return members.stream().sorted(Map.Entry.comparingByKey()).toList();
      }
      last = member.getKey();
    }
    return members;
  }

  private void array(JsonNode array) {
    var before = '[';
    for (var element : array) {
      out.append(before);
      value(element);
      before = ',';
    }
    out.append(before == '[' ? "[]" : "]");
  }

  private void text(String text) {
    out.append('"');
    var written = 0;
    for (var at = 0; at < text.length(); at++) {
      var unit = text.charAt(at);
      if (unit < ' ' || unit == '"' || unit == '\\' || isHalf(text, at)) {
        out.append(text, written, at);
        escape(unit);
        written = at + 1;
      }
    }
    out.append(text, written, text.length()).append('"');
  }

  /** Whether this is half a surrogate pair, without the other half. */
  private static boolean isHalf(String text, int at) {
    var unit = text.charAt(at);
    return Character.isHighSurrogate(unit)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : Character.isLowSurrogate(unit)
            && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private void escape(char unit) {
    switch (unit) {
      case '"', '\\' -> out.append('\\').append(unit);
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> out.append("\\u").append(HexFormat.of().toHexDigits(unit));
    }
  }
}
