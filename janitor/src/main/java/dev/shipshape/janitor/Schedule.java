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
 * @param cron a Quartz expression: six or seven fields, seconds first
 * @param zone an IANA zone. At changes of daylight saving time, a local time that does not exist is
 *     skipped, and a local time that occurs twice fires once
 * @param blackouts windows in which no run begins
 */
public record Schedule(String cron, ZoneId zone, List<BlackoutWindow> blackouts) {
  static final String EVERY_15_MINUTES = "0 0/15 * * * ?";

  /** If blackouts skip more runs in a row, the schedule is assumed never to fire. */
  private static final int MAX_SKIPPED = 100_000;

  public Schedule {
    blackouts = List.copyOf(blackouts);
  }

  static Schedule read(Section section) {
    var zone = section.parsed("zone", ZoneId.of("UTC"), Schedule::checkedZone);
    var schedule =
        new Schedule(
            section.parsed("schedule", EVERY_15_MINUTES, Schedule::checkedCron),
            zone,
            section.sections("blackout").stream()
                .flatMap(window -> BlackoutWindow.read(window, zone).stream())
                .toList());
    if (!schedule.blackouts.isEmpty() && schedule.next(1, Instant.now()).isEmpty()) {
      section.problem("blackout", "excludes every run of the schedule " + schedule.cron);
    }
    return schedule;
  }

  /**
   * Returns the next runs after a time, without those in a blackout; fewer than {@code count} if
   * the schedule ends before.
   */
  public List<Instant> next(int count, Instant after) {
    var expression = expression();
    var runs = new ArrayList<Instant>();
    var skipped = 0;
    var next = expression.getNextValidTimeAfter(Date.from(after));
    while (next != null && runs.size() < count && skipped < MAX_SKIPPED) {
      if (isBlackout(next.toInstant())) {
        skipped++;
      } else {
        skipped = 0;
        runs.add(next.toInstant());
      }
      next = expression.getNextValidTimeAfter(next);
    }
    return runs;
  }

  boolean isBlackout(Instant time) {
    return blackouts.stream().anyMatch(blackout -> blackout.contains(time));
  }

  /** Skips missed runs: the next run finds the same sessions. */
  CronScheduleBuilder builder() {
    return CronScheduleBuilder.cronSchedule(expression()).withMisfireHandlingInstructionDoNothing();
  }

  private CronExpression expression() {
    try {
      var expression = new CronExpression(cron);
      expression.setTimeZone(TimeZone.getTimeZone(zone));
      return expression;
    } catch (ParseException e) {
      throw new IllegalStateException("a checked schedule cannot be parsed: " + cron, e);
    }
  }

  private static String checkedCron(String text) {
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
      throw new IllegalArgumentException("never fires: \"%s\"".formatted(text));
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
