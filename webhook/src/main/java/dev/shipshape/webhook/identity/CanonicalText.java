package dev.shipshape.webhook.identity;

import java.util.HexFormat;

/** Texts as RFC 8785 has them: as few escapes as there can be, and half a surrogate pair as one. */
final class CanonicalText {
  private static final HexFormat HEX = HexFormat.of();

  private CanonicalText() {}

  static void write(Utf8Buffer out, String text) {
    out.put('"');
    for (var at = out.plain(text, 0); at < text.length(); at = out.plain(text, at)) {
      var unit = text.charAt(at);
      at += Character.isSurrogate(unit) ? surrogate(out, text, at) : unit(out, unit);
    }
    out.put('"');
  }

  /** Writes the pair that begins here, or half of one; gives how many units that took. */
  private static int surrogate(Utf8Buffer out, String text, int at) {
    var codePoint = text.codePointAt(at);
    if (Character.isSupplementaryCodePoint(codePoint)) {
      out.codePoint(codePoint);
    } else {
      escape(out, text.charAt(at));
    }
    return Character.charCount(codePoint);
  }

  private static int unit(Utf8Buffer out, char unit) {
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
          escape(out, unit);
        } else {
          out.codePoint(unit);
        }
      }
    }
    return 1;
  }

  private static void escape(Utf8Buffer out, char unit) {
    out.ascii("\\u" + HEX.toHexDigits(unit));
  }
}
