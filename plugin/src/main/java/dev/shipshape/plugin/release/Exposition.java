package dev.shipshape.plugin.release;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * What a server exports to Prometheus, in the text format.
 *
 * @param samples in their order
 */
record Exposition(List<Sample> samples) {
  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*\\})? ([^ ]+)(?: \\d+)?");

  /**
   * One sample.
   *
   * @param labels as they stand, with their braces; empty where there are none
   */
  record Sample(String name, String labels, double value) {
    /** What a label says; empty where there is no such label. */
    String label(String label) {
      var found = Pattern.compile("[{,]%s=\"([^\"]*)\"".formatted(label)).matcher(labels);
      return found.find() ? found.group(1) : "";
    }
  }

  static Exposition parse(String text) {
    var samples = new ArrayList<Sample>();
    for (var line : text.lines().toList()) {
      var match = LINE.matcher(line);
      if (match.matches()) {
        var labels = match.group(2);
        samples.add(
            new Sample(match.group(1), labels == null ? "" : labels, value(match.group(3))));
      }
    }
    return new Exposition(samples);
  }

  /** The sum of a metric's samples that have all these labels, such as {@code entry="mutate"}. */
  OptionalDouble sum(String name, String... labels) {
    var found = values(name, labels).toArray();
    return found.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Arrays.stream(found).sum());
  }

  /** The greatest of them. */
  OptionalDouble greatest(String name, String... labels) {
    return values(name, labels).max();
  }

  private DoubleStream values(String name, String... labels) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name))
        .filter(sample -> Arrays.stream(labels).allMatch(sample.labels()::contains))
        .mapToDouble(Sample::value);
  }

  private static double value(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
