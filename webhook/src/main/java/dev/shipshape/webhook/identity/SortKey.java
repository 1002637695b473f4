package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A value to sort by: absent goes before flags, flags before integers by value, these before texts
 * by UTF-16 code units.
 */
sealed interface SortKey extends Comparable<SortKey> {
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
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> whole(out.text(from, to));
      default -> null;
    };
  }

  private static String text(Utf8Buffer out, int from, int to) {
    if (!out.contains('\\', from, to)) {
      return out.text(from + 1, to - 1);
    }
    try {
      return new JsonMapper().readValue(out.text(from, to), String.class);
    } catch (IOException e) {
      throw new UncheckedIOException("canonical JSON cannot fail to be read", e);
    }
  }

  private static @Nullable SortKey whole(String number) {
    var isWhole = number.indexOf('.') < 0 && number.indexOf('e') < 0 && number.indexOf('E') < 0;
    return isWhole ? new Whole(new BigInteger(number)) : null;
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
