package dev.shipshape.audit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of an audit event in its bytes without making objects: most events do not match
 * and are dropped. It checks every byte, so that it notices an event that is cut off or mixed with
 * another one. Not thread-safe.
 */
final class EventParser {
  /** The bytes or the line end within the object. */
  static final int CUT = -1;

  /** There is no JSON object. */
  static final int BROKEN = -2;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = ~HIGH_BITS;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';
  private static final long SPACES = ONES * ' ';

  /** The bits that brackets and braces share, and no other JSON character outside of strings. */
  private static final long BRACKET_BITS = 0xd9d9d9d9d9d9d9d9L;

  private static final long BRACKETS = 0x5959595959595959L;

  private byte[] bytes = {};
  private int end;
  private int at;
  private boolean acrossLines;
  private boolean escaped;
  private boolean hasUser;
  private final int[] from = new int[Field.values().length];
  private final int[] to = new int[Field.values().length];
  private final boolean[] escapes = new boolean[Field.values().length];

  /**
   * Reads one JSON object.
   *
   * @param acrossLines whether it may contain line ends
   * @return where it ends, or {@link #CUT} or {@link #BROKEN}
   */
  int parse(byte[] buffer, int start, int limit, boolean acrossLines) {
    bytes = buffer;
    this.acrossLines = acrossLines;
    end = limit;
    at = start;
    clear();
    return object(Member.EVENT) ? at : at >= end ? CUT : BROKEN;
  }

  void clear() {
    Arrays.fill(from, -1);
    hasUser = false;
  }

  /** Whether there is an object with the user, be it empty. */
  boolean hasUser() {
    return hasUser;
  }

  boolean has(Field field) {
    return from[field.index()] >= 0;
  }

  /** Returns where the value begins; a string's without its quotation mark. */
  int from(Field field) {
    return from[field.index()];
  }

  int to(Field field) {
    return to[field.index()];
  }

  /** Returns a field's text; empty if it is absent. */
  String text(Field field) {
    var first = from(field);
    if (first < 0) {
      return "";
    }
    var length = to(field) - first;
    return hasEscapes(field)
        ? Json.unescaped(bytes, first - 1, length + 2)
        : new String(bytes, first, length, StandardCharsets.UTF_8);
  }

  /** Whether the text differs from the bytes. */
  boolean hasEscapes(Field field) {
    return escapes[field.index()];
  }

  private boolean object(Member parent) {
    if (!next('{')) {
      return false;
    }
    skipSpace();
    if (at < end && bytes[at] == '}') {
      at++;
      return true;
    }
    do {
      skipSpace();
      if (!next('"')) {
        return false;
      }
      var key = at;
      var keyEnd = stringEnd(key);
      if (keyEnd < 0) {
        return false;
      }
      at = keyEnd;
      var member = parent.child(bytes, key, keyEnd - 1);
      skipSpace();
      if (!next(':')) {
        return false;
      }
      skipSpace();
      if (!value(member)) {
        return false;
      }
      skipSpace();
    } while (next(','));
    return next('}');
  }

  private boolean value(@Nullable Member member) {
    if (at >= end) {
      return false;
    }
    if (member == null) {
      return skipOther();
    }
    if (member.field == null) {
      hasUser |= member == Member.USER && bytes[at] == '{';
      return bytes[at] == '{' ? object(member) : skip();
    }
    var string = bytes[at] == '"';
    var start = at;
    escaped = false;
    if (!(member.field == Field.SOURCE_IPS ? skipOther() : skip())) {
      return false;
    }
    if (bytes[start] == 'n') {
      // null counts as absent.
      return true;
    }
    from[member.field.index()] = string ? start + 1 : start;
    to[member.field.index()] = string ? at - 1 : at;
    escapes[member.field.index()] = string && escaped;
    return true;
  }

  /** Skips what is no body; false if a second writer's event is in it. */
  private boolean skipOther() {
    var start = at;
    return skip()
        && (bytes[start] == '"'
            || at - start < EventFinder.SHORTEST
            || !has(Field.AUDIT_ID)
            || !new String(bytes, start, at - start, StandardCharsets.ISO_8859_1)
                .contains("\"auditID\":"));
  }

  private boolean skip() {
    var first = bytes[at];
    if (first == '"') {
      var last = stringEnd(at + 1);
      if (last >= 0) {
        at = last;
      }
      return last >= 0;
    }
    return (first == '{' || first == '[') ? skipWithin() : skipScalar();
  }

  /**
   * Skips an object or an array, eight bytes at a time; only strings and the depth count. It
   * branches only on rare cases, because the processor cannot predict the others.
   */
  private boolean skipWithin() {
    var depth = 0;
    var inString = 0L;
    var escaped = 0L;
    var i = at;
    while (true) {
      var word = word(i);
      var control = (word - SPACES) & ~word & HIGH_BITS;
      var known = HIGH_BITS;
      var quotes = zeros(word ^ QUOTES);
      var backslash = word ^ BACKSLASHES;
      if ((((backslash - ONES) & ~backslash & HIGH_BITS) | control | escaped) != 0) {
        // The bytes before the first control character.
        known &= (control & -control) - 1;
        var backslashes = zeros(backslash);
        for (var left = backslashes & ~escaped; left != 0; left &= (left - 1) & ~escaped) {
          escaped |= (left & -left) << 8;
        }
        quotes &= ~escaped & known;
        escaped = (backslashes & ~escaped) >>> 56;
      }
      // The product counts the quotes up to each byte: an odd number is within a string.
      var strings = (((quotes >>> 7) * ONES) << 7) ^ inString;
      var bracket = (word & BRACKET_BITS) ^ BRACKETS;
      var brackets = (bracket - ONES) & ~bracket & ~strings & known;
      // Closing brackets have this bit; the shift moves it to the byte's first.
      var closing = brackets & (word << 5);
      var closings = Long.bitCount(closing);
      if (closings < depth) {
        depth += Long.bitCount(brackets) - 2 * closings;
      } else {
        for (; brackets != 0; brackets &= brackets - 1) {
          depth += (closing & brackets & -brackets) == 0 ? 1 : -1;
          if (depth == 0) {
            at = i + (Long.numberOfTrailingZeros(brackets) >>> 3) + 1;
            return true;
          }
        }
      }
      i += Long.BYTES;
      inString = strings >> 63;
      if (control != 0) {
        at = i - Long.BYTES + (Long.numberOfTrailingZeros(control) >>> 3);
        if ((strings & control & -control) != 0 || at >= end || isLineEnd()) {
          return false;
        }
        i = at + 1;
        inString = 0;
        escaped = 0;
      }
    }
  }

  /** Sets the first bit of each byte that is zero. */
  private static long zeros(long word) {
    return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
  }

  /** Returns eight bytes; behind the end, zeros, which are no part of JSON. */
  private long word(int from) {
    if (from + Long.BYTES <= end) {
      return (long) LONGS.get(bytes, from);
    }
    var word = 0L;
    for (var i = end - 1; i >= from; i--) {
      word = word << 8 | (bytes[i] & 0xff);
    }
    return word;
  }

  private boolean skipScalar() {
    while (at < end && bytes[at] != ',' && bytes[at] != '}' && bytes[at] > ' ') {
      at++;
    }
    return at < end && !isLineEnd();
  }

  /** Whether the input ends within the object. */
  private boolean isLineEnd() {
    return bytes[at] == '\n' && !acrossLines;
  }

  /**
   * Finds the end of a string, eight bytes at a time; -1 if there is none. A control character ends
   * the search, so that a line that is cut off does not continue on the next one.
   */
  private int stringEnd(int from) {
    var b = bytes;
    var limit = end;
    var i = from;
    while (true) {
      while (i + Long.BYTES <= limit) {
        var word = (long) LONGS.get(b, i);
        var quote = word ^ QUOTES;
        var backslash = word ^ BACKSLASHES;
        // Only the lowest bit that is set is exact, and only it is used.
        var found =
            (((quote - ONES) & ~quote)
                    | ((backslash - ONES) & ~backslash)
                    | ((word - SPACES) & ~word))
                & HIGH_BITS;
        if (found != 0) {
          i += Long.numberOfTrailingZeros(found) >>> 3;
          break;
        }
        i += Long.BYTES;
      }
      if (i < limit && b[i] == '\\') {
        escaped = true;
        i++;
      } else if (i < limit && b[i] == '"') {
        return i + 1;
      }
      if (i >= limit || (b[i] >= 0 && b[i] < ' ')) {
        at = i;
        return -1;
      }
      i++;
    }
  }

  private boolean next(char expected) {
    if (at < end && bytes[at] == expected) {
      at++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (at < end
        && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')
        && !isLineEnd()) {
      at++;
    }
  }
}
