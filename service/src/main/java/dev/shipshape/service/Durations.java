package dev.shipshape.service;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Pattern;

/** Parses durations of settings and the command line, and formats durations for messages. */
public final class Durations {
  private static final Pattern SIMPLE = Pattern.compile("(\\d{1,9})(ms|s|m|h|d|w)");

  private Durations() {}

  /**
   * Parses one number with one unit ({@code 90s}, {@code 7d}; units ms, s, m, h, d, w) or an
   * ISO-8601 duration ({@code PT1H30M}).
   *
   * @throws IllegalArgumentException if it is neither, or negative. Refuses a number without a
   *     unit, because it is ambiguous.
   */
  public static Duration parse(String text) {
    var simple = SIMPLE.matcher(text);
    if (simple.matches()) {
      return unit(simple.group(2)).multipliedBy(Long.parseLong(simple.group(1)));
    }
    try {
      var duration = Duration.parse(text);
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (DateTimeException ignored) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "not a duration: \"%s\"; write one number with a unit (ms, s, m, h, d, w), like 7d, or ISO-8601, like PT36H"
            .formatted(text));
  }

  /** Formats a duration in its two largest units: {@code 1d 2h}. */
  public static String format(Duration duration) {
    if (duration.isNegative()) {
      return "in the future";
    }
    if (duration.toDays() > 0) {
      return "%dd %dh".formatted(duration.toDays(), duration.toHoursPart());
    }
    return duration.toHours() > 0
        ? "%dh %dm".formatted(duration.toHours(), duration.toMinutesPart())
        : "%dm %ds".formatted(duration.toMinutes(), duration.toSecondsPart());
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      case "w" -> Duration.ofDays(7);
      default -> throw new IllegalArgumentException("no unit of time: " + name);
    };
  }
}
