package dev.shipshape.audit;

import static java.time.format.DateTimeFormatter.ISO_DATE_TIME;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Times as the API server writes them, in microseconds since 1970. */
public final class Times {
  /** A value that is no time. */
  static final long NONE = Long.MIN_VALUE;

  /** In microseconds. */
  static final long DAY = TimeUnit.DAYS.toMicros(1);

  private static final int MICROS = 1_000_000;
  private static final int SECONDS_END = 19;

  private Times() {}

  /** Formats a time by RFC 3339, always with six digits after the second. */
  public static String format(long micros) {
    var second = Math.floorDiv(micros, MICROS);
    var time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    var text = new StringBuilder(27);
    text.append(time.getYear());
    digits(text.append('-'), time.getMonthValue(), 2);
    digits(text.append('-'), time.getDayOfMonth(), 2);
    digits(text.append('T'), time.getHour(), 2);
    digits(text.append(':'), time.getMinute(), 2);
    digits(text.append(':'), time.getSecond(), 2);
    digits(text.append('.'), Math.floorMod(micros, MICROS), 6);
    return text.append('Z').toString();
  }

  /** Formats a duration in seconds, with six digits. */
  static String seconds(long micros) {
    var text = new StringBuilder().append(micros / MICROS).append('.');
    return digits(text, micros % MICROS, 6).toString();
  }

  /** Formats a duration for people. */
  public static String duration(long micros) {
    if (micros < 1000) {
      return micros + "µs";
    }
    return micros < MICROS
        ? "%.1fms".formatted(micros / 1e3)
        : Duration.ofMillis(micros / 1000).toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static StringBuilder digits(StringBuilder text, long number, int count) {
    var digits = Long.toString(number);
    return text.repeat('0', count - digits.length()).append(digits);
  }

  /**
   * Parses a time by RFC 3339. The zone may be left out, which means UTC, and a space may be in
   * place of the T, as warehouses write it.
   *
   * @throws DateTimeException if it is no time
   */
  public static long parse(String text) {
    var time =
        text.replaceFirst("^(.{10}) ", "$1T")
            .replaceFirst(" ?UTC$", "Z")
            .replaceFirst("(:.*[+-]\\d\\d)$", "$1:00")
            .replaceFirst("(:.*[+-]\\d\\d)(\\d\\d)$", "$1:$2");
    return micros(
        ISO_DATE_TIME.parseBest(time, OffsetDateTime::from, LocalDateTime::from)
                instanceof OffsetDateTime zoned
            ? zoned.toInstant()
            : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC));
  }

  /**
   * As {@link #parse(String)}; also a day, which is its beginning, or a time of any day, such as
   * {@code 07:08}.
   *
   * @throws DateTimeException if it is no time
   */
  public static long parseBound(String text) {
    if (text.indexOf(':') < 0) {
      return micros(LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
    }
    return text.indexOf('-') < 0
        ? TimeUnit.NANOSECONDS.toMicros(LocalTime.parse(text).toNanoOfDay())
        : parse(text);
  }

  /** Parses the time in these bytes; {@link #NONE} if it is no time. */
  static long parse(byte[] b, int from, int to) {
    if (to - from <= SECONDS_END || b[to - 1] != 'Z' || b[from + 10] != 'T') {
      return other(b, from, to);
    }
    try {
      var days =
          LocalDate.of(
                  number(b, from, from + 4),
                  number(b, from + 5, from + 7),
                  number(b, from + 8, from + 10))
              .toEpochDay();
      var time =
          LocalTime.of(
              number(b, from + 11, from + 13),
              number(b, from + 14, from + 16),
              number(b, from + 17, from + 19));
      var seconds = TimeUnit.DAYS.toSeconds(days) + time.toSecondOfDay();
      var micros = 0;
      var digits = 0;
      for (var i = from + SECONDS_END + 1; i < to - 1 && digits < 6; i++, digits++) {
        micros = micros * 10 + number(b, i, i + 1);
      }
      for (; digits < 6; digits++) {
        micros *= 10;
      }
      return TimeUnit.SECONDS.toMicros(seconds) + micros;
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  private static long other(byte[] b, int from, int to) {
    try {
      return parse(new String(b, from, to - from, StandardCharsets.UTF_8));
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  private static long micros(Instant instant) {
    return TimeUnit.SECONDS.toMicros(instant.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(instant.getNano());
  }

  private static int number(byte[] b, int from, int to) {
    var number = 0;
    for (var i = from; i < to; i++) {
      if (b[i] < '0' || b[i] > '9') {
        throw new DateTimeException("no digit");
      }
      number = number * 10 + b[i] - '0';
    }
    return number;
  }
}
