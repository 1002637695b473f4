package dev.shipshape.janitor;

import dev.shipshape.service.Section;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import org.quartz.CronExpression;
import org.quartz.CronScheduleBuilder;

/**
 * When to prune.
 *
 * @param cron Quartz's form: six or seven fields, seconds first
 * @param zone an IANA zone, so that daylight saving is followed: a time that the clocks skip is
 *     left out, one that comes twice is taken once
 * @param blackouts windows in which no run begins
 */
public record Schedule(String cron, ZoneId zone, List<BlackoutWindow> blackouts) {
  static final String QUARTERLY = "0 0/15 * * * ?";

  /** A schedule of which blackouts hold so many runs in a row is taken never to come true. */
  private static final int MOST_HELD = 100_000;

  public Schedule {
    blackouts = List.copyOf(blackouts);
  }

  static Schedule read(Section section) {
    var zone = section.parsed("zone", ZoneId.of("UTC"), Schedule::checkedZone);
    var schedule =
        new Schedule(
            section.parsed("schedule", QUARTERLY, Schedule::checkedCron),
            zone,
            section.sections("blackout").stream()
                .flatMap(window -> BlackoutWindow.read(window, zone).stream())
                .toList());
    if (!schedule.blackouts.isEmpty() && schedule.next(1, Instant.now()).isEmpty()) {
      section.problem("blackout", "leaves no run of the schedule " + schedule.cron);
    }
    return schedule;
  }

  /**
   * The next runs after a time, as many as asked for, those left out that a blackout holds back;
   * fewer where the schedule ends before.
   */
  public List<Instant> next(int count, Instant after) {
    var expression = expression();
    var runs = new ArrayList<Instant>();
    var held = 0;
    var next = expression.getNextValidTimeAfter(Date.from(after));
    while (next != null && runs.size() < count && held < MOST_HELD) {
      if (isBlackout(next.toInstant())) {
        held++;
      } else {
        held = 0;
        runs.add(next.toInstant());
      }
      next = expression.getNextValidTimeAfter(next);
    }
    return runs;
  }

  boolean isBlackout(Instant time) {
    return blackouts.stream().anyMatch(blackout -> blackout.holds(time));
  }

  /** A run that was missed is left out: the next one sees everything that it would have seen. */
  CronScheduleBuilder builder() {
    return CronScheduleBuilder.cronSchedule(expression()).withMisfireHandlingInstructionDoNothing();
  }

  private CronExpression expression() {
    try {
      var expression = new CronExpression(cron);
      expression.setTimeZone(TimeZone.getTimeZone(zone));
      return expression;
    } catch (ParseException e) {
      throw new IllegalStateException("a checked schedule cannot be read: " + cron, e);
    }
  }

  private static String checkedCron(String text) {
    if (text.strip().split("\\s+", -1).length == 5) {
      throw new IllegalArgumentException(
          "has five fields; a Quartz expression has seconds first, such as \"0 0 * * * ?\" for"
              + " every hour: \"%s\"".formatted(text));
    }
    Date next;
    try {
      next = new CronExpression(text).getNextValidTimeAfter(Date.from(Instant.now()));
    } catch (ParseException | RuntimeException e) {
      throw new IllegalArgumentException(
          "not a Quartz cron expression (\"%s\"), whose fields are seconds, minutes, hours, day, month and weekday; write ? for day or weekday%s"
              .formatted(text, e instanceof ParseException ? ": " + e.getMessage() : ""),
          e);
    }
    if (next == null) {
      throw new IllegalArgumentException("never comes true: \"%s\"".formatted(text));
    }
    return text;
  }

  static ZoneId checkedZone(String text) {
    if (!ZoneId.getAvailableZoneIds().contains(text)) {
      throw new IllegalArgumentException(
          "not an IANA time zone, like Europe/Berlin or UTC: \"%s\"".formatted(text));
    }
    return ZoneId.of(text);
  }
}
