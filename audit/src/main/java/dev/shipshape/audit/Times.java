package dev.shipshape.audit;

import static java.time.format.DateTimeFormatter.ISO_DATE_TIME;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Times as the API server writes them, in microseconds since 1970. */
public final class Times {
  static final long NONE = Long.MIN_VALUE;

  /** In microseconds. */
  static final long DAY = TimeUnit.DAYS.toMicros(1);

  /** Of the year 9999; differences of much later times overflow. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private static final long MICROS = 1_000_000;
  private static final int LONGEST_TIME = 64;
  private static final int MICRO_TIME = "2006-01-02T15:04:05.000000Z".length();
  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

  private Times() {}

  /** Formats a time by RFC 3339, always with six digits after the second. */
  public static String format(long micros) {
    return FORMAT.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
  }

  /** Formats a duration in seconds, with six digits. */
  static String seconds(long micros) {
    return BigDecimal.valueOf(micros, 6).toPlainString();
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
    var parsed = ISO_DATE_TIME.parseBest(time, OffsetDateTime::from, LocalDateTime::from);
    return micros(
        parsed instanceof OffsetDateTime zoned
            ? zoned.toInstant()
            : LocalDateTime.from(parsed).toInstant(ZoneOffset.UTC));
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
    try {
      // As the API server writes it; others take longer.
      if (to - from == MICRO_TIME && b[to - 1] == 'Z' && b[from + 10] == 'T') {
        var day = LocalDate.of(number(b, from, 4), number(b, from + 5, 2), number(b, from + 8, 2));
        var time =
            LocalTime.of(number(b, from + 11, 2), number(b, from + 14, 2), number(b, from + 17, 2));
        return day.toEpochDay() * DAY + time.toSecondOfDay() * MICROS + number(b, from + 20, 6);
      }
      return to - from > LONGEST_TIME
          ? NONE
          : parse(new String(b, from, to - from, StandardCharsets.UTF_8));
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  private static long micros(Instant instant) {
    if (Math.abs(instant.getEpochSecond()) > LAST_SECOND) {
      throw new DateTimeException("its year has more than four digits");
    }
    return TimeUnit.SECONDS.toMicros(instant.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(instant.getNano());
  }

  private static int number(byte[] b, int from, int digits) {
    var number = 0;
    for (var i = from; i < from + digits; i++) {
      if (b[i] < '0' || b[i] > '9') {
        throw new DateTimeException("no digit");
      }
      number = number * 10 + b[i] - '0';
    }
    return number;
  }
}
