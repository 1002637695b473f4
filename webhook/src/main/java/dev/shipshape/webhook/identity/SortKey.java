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

  record Whole(long value) implements SortKey {}

  /** An integer that is no long number. */
  record Large(BigInteger value) implements SortKey {}

  record Text(String value) implements SortKey {}

  /** What was written there as a key; null where it is neither flag, integer nor text. */
  static @Nullable SortKey read(Utf8Buffer out, int from, int to) {
    return switch (out.at(from)) {
      case 't' -> new Flag(true);
      case 'f' -> new Flag(false);
      case '"' -> new Text(out.decoded(from, to));
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> whole(out, from, to);
      default -> null;
    };
  }

  private static @Nullable SortKey whole(Utf8Buffer out, int from, int to) {
    var isNegative = out.at(from) == '-';
    var value = 0L;
    for (var at = isNegative ? from + 1 : from; at < to; at++) {
      var digit = out.at(at) - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      value = value * 10 + digit;
    }
    return to - from <= LONG_DIGITS
        ? new Whole(isNegative ? -value : value)
        : large(new BigInteger(out.text(from, to)));
  }

  private static SortKey large(BigInteger value) {
    return value.bitLength() < Long.SIZE ? new Whole(value.longValue()) : new Large(value);
  }

  @Override
  default int compareTo(SortKey other) {
    if (this instanceof Whole(var mine) && other instanceof Whole(var theirs)) {
      return Long.compare(mine, theirs);
    }
    if (this instanceof Text(var mine) && other instanceof Text(var theirs)) {
      return mine.compareTo(theirs);
    }
    if (this instanceof Flag(var mine) && other instanceof Flag(var theirs)) {
      return Boolean.compare(mine, theirs);
    }
    if (this instanceof Large(var mine) && other instanceof Large(var theirs)) {
      return mine.compareTo(theirs);
    }
    return Integer.compare(rank(this), rank(other));
  }

  private static int rank(SortKey key) {
    return switch (key) {
      case Absent() -> 0;
      case Flag ignored -> 1;
      case Large(var value) when value.signum() < 0 -> 2;
      case Whole ignored -> 3;
      case Large ignored -> 4;
      case Text ignored -> 5;
    };
  }
}
