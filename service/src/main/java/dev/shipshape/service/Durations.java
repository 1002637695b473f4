package dev.shipshape.service;

import java.text.ParseException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Pattern;

/** Parses durations of settings and the command line, and formats durations for messages. */
public final class Durations {
  private static final Pattern SIMPLE = Pattern.compile("\\d{1,9}(ms|s|m|h|d|w)");

  /** Can be added to any clock, also in nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Durations() {}

  /**
   * Parses one number with one unit ({@code 90s}, {@code 7d}; units ms, s, m, h, d, w) or an
   * ISO-8601 duration ({@code PT1H30M}).
   *
   * @throws IllegalArgumentException if it is neither, negative, or over 36,500 days. Refuses a
   *     number without a unit, because it is ambiguous.
   */
  public static Duration parse(String text) {
    try {
      var duration =
          SIMPLE.matcher(text).matches()
              ? io.fabric8.kubernetes.api.model.Duration.parse(text).getDuration()
              : Duration.parse(text);
      if (!duration.isNegative() && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    } catch (ParseException | DateTimeException ignored) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        "not a duration: \"%s\"; write one number with a unit (ms, s, m, h, d, w), like 7d, or ISO-8601, like PT36H; at most 36500d"
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
}
