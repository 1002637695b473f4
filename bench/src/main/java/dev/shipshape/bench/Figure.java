package dev.shipshape.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table.
 *
 * @param value in the unit
 * @param limit what the value is held against; null where it only explains another
 */
record Figure(String what, double value, String unit, @Nullable Limit limit) {
  /** A target. */
  sealed interface Limit {
    boolean holds(double value);

    record AtLeast(double least) implements Limit {
      @Override
      public boolean holds(double value) {
        return value >= least;
      }
    }

    record AtMost(double most) implements Limit {
      @Override
      public boolean holds(double value) {
        return value <= most;
      }
    }
  }

  static Figure of(String what, double value, String unit) {
    return new Figure(what, value, unit, null);
  }

  static Figure atLeast(double least, String what, double value, String unit) {
    return new Figure(what, value, unit, new Limit.AtLeast(least));
  }

  static Figure atMost(double most, String what, double value, String unit) {
    return new Figure(what, value, unit, new Limit.AtMost(most));
  }

  String target() {
    return switch (limit) {
      case null -> "";
      case Limit.AtLeast(var least) -> ">= " + number(least);
      case Limit.AtMost(var most) -> "<= " + number(most);
    };
  }

  String verdict() {
    return limit == null ? "" : limit.holds(value) ? "met" : "MISSED";
  }

  /** Three digits that mean something. */
  static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
