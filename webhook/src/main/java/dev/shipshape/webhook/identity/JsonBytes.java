package dev.shipshape.webhook.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes over JSON that a parser has found well-formed, from value to value. It checks nothing again,
 * which is why it is quick; of other bytes it makes nonsense or runs out of them, never more.
 */
final class JsonBytes {
  private final byte[] json;
  private final int end;
  private int at;

  JsonBytes(byte[] json, int from, int length) {
    this.json = json;
    this.at = from;
    this.end = from + length;
  }

  boolean isEmpty() {
    return at == end;
  }

  /** The byte that comes next but for white space. */
  byte next() {
    while (json[at] <= ' ' && json[at] >= 0) {
      at++;
    }
    return json[at];
  }

  /** Goes past a byte. */
  void take() {
    at++;
  }

  /** Goes into an object or a list; whether there is anything in it. */
  boolean enter(char close) {
    at++;
    return next() != close || leave();
  }

  /** Goes past what is between two values; whether there is another one. */
  boolean hasMore(char close) {
    var isLast = next() == close;
    at++;
    return !isLast;
  }

  private boolean leave() {
    at++;
    return false;
  }

  /** Copies a literal. */
  void copyLiteral(Utf8Buffer out, int length) {
    out.append(json, at, length);
    at += length;
  }

  /**
   * Copies a text, with its quotes, that is in canonical form as it stands. Others it leaves.
   *
   * @param spelling the kind of text; null for any
   */
  boolean copyPlainText(Utf8Buffer out, @Nullable Spelling spelling) {
    var close = plainEnd();
    if (json[close] != '"' || (spelling != null && !spelling.isCanonical(json, at + 1, close))) {
      return false;
    }
    out.append(json, at, close + 1 - at);
    at = close + 1;
    return true;
  }

  /** Reads a text. */
  String text() {
    var begin = at + 1;
    var close = plainEnd();
    if (json[close] == '"') {
      at = close + 1;
      return new String(json, begin, close - begin, ISO_8859_1);
    }
    var decoder = new TextDecoder(json, begin);
    var text = decoder.decode();
    at = decoder.end() + 1;
    return text;
  }

  /** Reads a text that is a member's name. */
  Names.Name name(Names names) {
    var likely = names.likely();
    if (likely != null && isHere(likely.written())) {
      at += likely.written().length;
      names.follow(likely);
      return likely;
    }
    var begin = at + 1;
    var close = plainEnd();
    if (json[close] != '"') {
      return new Names.Name(text());
    }
    at = close + 1;
    return names.find(json, begin, close);
  }

  private boolean isHere(byte[] written) {
    return written.length <= end - at
        && Arrays.equals(json, at, at + written.length, written, 0, written.length);
  }

  /** Where the text that begins here has its end, or something else that is not plain. */
  private int plainEnd() {
    return PlainText.end(json, at + 1);
  }

  /** Copies an integer as it is, and writes another number in canonical form. */
  void copyNumber(Utf8Buffer out) {
    var from = at;
    var isInteger = true;
    for (; at < end && isOfNumber(json[at]); at++) {
      isInteger &= json[at] <= '9' && json[at] != '.';
    }
    var length = at - from;
    if (!isInteger) {
      out.ascii(CanonicalNumber.of(new BigDecimal(new String(json, from, length, ISO_8859_1))));
    } else if (length == 2 && json[from] == '-' && json[from + 1] == '0') {
      out.put('0');
    } else {
      out.append(json, from, length);
    }
  }

  private static boolean isOfNumber(byte next) {
    return next <= '9' ? next >= '+' && next != ',' : next == 'e' || next == 'E';
  }

  /** Goes past a value. */
  void skip() {
    var depth = 0;
    do {
      switch (next()) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '"' -> skipText();
        default -> {
          // Part of a number or a literal, or between values.
        }
      }
      at++;
    } while (depth > 0 || (at < end && isOfScalar(json[at])));
  }

  private void skipText() {
    for (at = plainEnd(); json[at] != '"'; at = PlainText.end(json, at)) {
      at += json[at] == '\\' ? 2 : 1;
    }
  }

  private static boolean isOfScalar(byte next) {
    return next > ' ' && next != ',' && next != ']' && next != '}';
  }
}
