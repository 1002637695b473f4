package dev.shipshape.webhook.identity;

import java.util.HexFormat;

/**
 * Reads a text that has escapes or more than ASCII, from JSON that a parser has found well-formed,
 * to the same characters as that parser.
 */
final class TextDecoder {
  private final byte[] json;
  private final StringBuilder text = new StringBuilder();
  private int at;

  /**
   * @param from where the text begins, behind its opening quote
   */
  TextDecoder(byte[] json, int from) {
    this.json = json;
    this.at = from;
  }

  /** The text up to its closing quote. */
  String decode() {
    while (json[at] != '"') {
      var first = json[at++];
      if (first == '\\') {
        escape();
      } else if (first >= 0) {
        text.append((char) first);
      } else {
        sequence(first);
      }
    }
    return text.toString();
  }

  /** Where the closing quote is. */
  int end() {
    return at;
  }

  private void escape() {
    var escaped = (char) json[at++];
    switch (escaped) {
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 't' -> text.append('\t');
      case 'u' -> text.append(unit());
      default -> text.append(escaped);
    }
  }

  private char unit() {
    var unit = 0;
    for (var digit = 0; digit < 4; digit++) {
      unit = (unit << 4) | HexFormat.fromHexDigit(json[at++]);
    }
    return (char) unit;
  }

  /** Two to four bytes of UTF-8; half a surrogate pair may be among them. */
  private void sequence(byte first) {
    if ((first & 0xE0) == 0xC0) {
      text.append((char) more(first & 0x1F, 1));
    } else if ((first & 0xF0) == 0xE0) {
      text.append((char) more(first & 0x0F, 2));
    } else {
      var beyond = more(first & 0x07, 3) - Character.MIN_SUPPLEMENTARY_CODE_POINT;
      text.append((char) (Character.MIN_HIGH_SURROGATE | (beyond >> 10)));
      text.append((char) (Character.MIN_LOW_SURROGATE | (beyond & 0x3FF)));
    }
  }

  private int more(int bits, int bytes) {
    var point = bits;
    for (var count = 0; count < bytes; count++) {
      point = (point << 6) | (json[at++] & 0x3F);
    }
    return point;
  }
}
