package dev.shipshape.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle one of several measurements, which one disturbed round does not move. */
final class Median {
  private Median() {}

  static <T> double of(List<T> measured, ToDoubleFunction<T> figure) {
    var sorted = measured.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
