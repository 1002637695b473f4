package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * JSON in the one form of RFC 8785: members sorted by UTF-16 code units, no white space, shortest
 * numbers and escapes.
 *
 * <p>Where that RFC gives up, this goes on, so that any JSON has a form: an integer beyond 2^53 is
 * written in full (rounding it would make two different values equal), a number beyond a double's
 * range as it was given, and half a surrogate pair as its escape.
 */
public final class CanonicalJson {
  private final Utf8Buffer out = new Utf8Buffer();

  private CanonicalJson() {}

  /** The canonical bytes, UTF-8. */
  public static byte[] write(JsonNode value) {
    var writer = new CanonicalJson();
    writer.value(value);
    return writer.out.bytes();
  }

  private void value(JsonNode value) {
    switch (value.getNodeType()) {
      case OBJECT -> object((ObjectNode) value);
      case ARRAY -> array(value);
      case STRING -> text(value.textValue());
      case NUMBER -> out.ascii(CanonicalNumber.of(value));
      case BOOLEAN -> out.ascii(value.booleanValue() ? "true" : "false");
      case NULL, MISSING -> out.ascii("null");
      case BINARY, POJO ->
          throw new IllegalArgumentException("not parsed JSON: " + value.getNodeType());
    }
  }

  private void object(ObjectNode object) {
    out.put('{');
    var separate = false;
    for (var name : sortedNames(object)) {
      if (separate) {
        out.put(',');
      }
      separate = true;
      text(name);
      out.put(':');
      value(object.path(name));
    }
    out.put('}');
  }

  private static String[] sortedNames(ObjectNode object) {
    var names = new String[object.size()];
    var next = 0;
    for (var field : object.properties()) {
      names[next++] = field.getKey();
    }
    // String's own order is by UTF-16 code units, as the RFC has it.
    Arrays.sort(names);
    return names;
  }

  private void array(JsonNode array) {
    out.put('[');
    var separate = false;
    for (var element : array) {
      if (separate) {
        out.put(',');
      }
      separate = true;
      value(element);
    }
    out.put(']');
  }

  private void text(String text) {
    out.put('"');
    for (var at = 0; at < text.length(); at++) {
      var unit = text.charAt(at);
      if (Character.isSurrogate(unit)) {
        at += surrogate(text, at);
      } else {
        character(unit);
      }
    }
    out.put('"');
  }

  /** Writes the pair that begins here, or half of one; gives how many more units that took. */
  private int surrogate(String text, int at) {
    var codePoint = text.codePointAt(at);
    if (Character.isSupplementaryCodePoint(codePoint)) {
      out.codePoint(codePoint);
      return 1;
    }
    escape((char) codePoint);
    return 0;
  }

  private void character(char unit) {
    switch (unit) {
      case '"' -> out.ascii("\\\"");
      case '\\' -> out.ascii("\\\\");
      case '\b' -> out.ascii("\\b");
      case '\f' -> out.ascii("\\f");
      case '\n' -> out.ascii("\\n");
      case '\r' -> out.ascii("\\r");
      case '\t' -> out.ascii("\\t");
      default -> {
        if (unit < ' ') {
          escape(unit);
        } else {
          out.codePoint(unit);
        }
      }
    }
  }

  private void escape(char unit) {
    out.ascii("\\u" + HexFormat.of().toHexDigits(unit));
  }
}
