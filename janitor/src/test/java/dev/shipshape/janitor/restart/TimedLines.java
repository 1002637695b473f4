package dev.shipshape.janitor.restart;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.function.BiConsumer;

/**
 * The lines of the operator's log, each with the time that the operator wrote before it, in UTC; a
 * line without one has that of the line before.
 */
public final class TimedLines {
  private static final int TIME_LENGTH = "2026-01-01 00:00:00,000".length();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS");

  private final BiConsumer<Instant, String> each;
  private Instant time;

  /**
   * @param before the time of lines before the first that has one
   */
  public TimedLines(BiConsumer<Instant, String> each, Instant before) {
    this.each = each;
    this.time = before;
  }

  public void accept(String line) {
    if (line.length() >= TIME_LENGTH) {
      try {
        time = LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME).toInstant(ZoneOffset.UTC);
      } catch (DateTimeParseException e) {
        // A line within a record.
      }
    }
    each.accept(time, line);
  }
}
