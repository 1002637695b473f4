package dev.shipshape.webhook.identity;

import java.util.HexFormat;

/** Texts as RFC 8785 has them: as few escapes as there can be, and half a surrogate pair as one. */
final class CanonicalText {
  private static final HexFormat HEX = HexFormat.of();

  private CanonicalText() {}

  static void write(Utf8Buffer out, String text) {
    write(out, text.toCharArray(), 0, text.length());
  }

  static void write(Utf8Buffer out, char[] text, int from, int to) {
    out.put('"');
    for (var at = out.plain(text, from, to); at < to; at = out.plain(text, at, to)) {
      at += Character.isSurrogate(text[at]) ? surrogate(out, text, at, to) : unit(out, text[at]);
    }
    out.put('"');
  }

  /** Writes the pair that begins here, or half of one; gives how many units that took. */
  private static int surrogate(Utf8Buffer out, char[] text, int at, int to) {
    var codePoint = Character.codePointAt(text, at, to);
    if (Character.isSupplementaryCodePoint(codePoint)) {
      out.codePoint(codePoint);
    } else {
      escape(out, text[at]);
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
