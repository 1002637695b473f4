package dev.shipshape.webhook.identity;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A value to sort by: absent goes before flags, flags before integers by value, these before texts
 * by UTF-16 code units.
 */
sealed interface SortKey extends Comparable<SortKey> {
  /** So many digits a long number can have for certain, with a sign. */
  int LONG_DIGITS = 18;

  /** No value. */
  record Absent() implements SortKey {}

  record Flag(boolean value) implements SortKey {}

  record Whole(BigInteger value) implements SortKey {}

  record Text(String value) implements SortKey {}

  /** What was written there as a key; null where it is neither flag, integer nor text. */
  static @Nullable SortKey read(Utf8Buffer out, int from, int to) {
    return switch (out.at(from)) {
      case 't' -> new Flag(true);
      case 'f' -> new Flag(false);
      case '"' -> new Text(text(out, from, to));
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> whole(out, from, to);
      default -> null;
    };
  }

  private static String text(Utf8Buffer out, int from, int to) {
    if (!out.contains('\\', from, to)) {
      return out.text(from + 1, to - 1);
    }
    return out.decoded(from + 1);
  }

  private static @Nullable SortKey whole(Utf8Buffer out, int from, int to) {
    for (var at = from + 1; at < to; at++) {
      if (out.at(at) < '0' || out.at(at) > '9') {
        return null;
      }
    }
    var number = out.text(from, to);
    return new Whole(
        to - from <= LONG_DIGITS
            ? BigInteger.valueOf(Long.parseLong(number))
            : new BigInteger(number));
  }

  @Override
  default int compareTo(SortKey other) {
    if (this instanceof Flag(var mine) && other instanceof Flag(var theirs)) {
      return Boolean.compare(mine, theirs);
    }
    if (this instanceof Whole(var mine) && other instanceof Whole(var theirs)) {
      return mine.compareTo(theirs);
    }
    if (this instanceof Text(var mine) && other instanceof Text(var theirs)) {
      return mine.compareTo(theirs);
    }
    return Integer.compare(rank(this), rank(other));
  }

  private static int rank(SortKey key) {
    return switch (key) {
      case Absent() -> 0;
      case Flag ignored -> 1;
      case Whole ignored -> 2;
      case Text ignored -> 3;
    };
  }
}
