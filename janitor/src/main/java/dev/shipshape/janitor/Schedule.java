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
 * @param zone an IANA zone, so that daylight saving is followed
 */
public record Schedule(String cron, ZoneId zone) {
  private static final String QUARTERLY = "0 0/15 * * * ?";

  static Schedule read(Section section) {
    return new Schedule(
        section.parsed("schedule", QUARTERLY, Schedule::checkedCron),
        section.parsed("zone", ZoneId.of("UTC"), Schedule::checkedZone));
  }

  /** The next runs after a time, as many as asked for; fewer where the schedule ends before. */
  public List<Instant> next(int count, Instant after) {
    var expression = expression();
    var runs = new ArrayList<Instant>();
    var next = expression.getNextValidTimeAfter(Date.from(after));
    while (next != null && runs.size() < count) {
      runs.add(next.toInstant());
      next = expression.getNextValidTimeAfter(next);
    }
    return runs;
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
    try {
      if (new CronExpression(text).getNextValidTimeAfter(Date.from(Instant.now())) == null) {
        throw new IllegalArgumentException("never comes true: \"%s\"".formatted(text));
      }
      return text;
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "not a Quartz cron expression (seconds first, six or seven fields, like \"%s\"): \"%s\": %s"
              .formatted(QUARTERLY, text, e.getMessage()),
          e);
    }
  }

  private static ZoneId checkedZone(String text) {
    if (!ZoneId.getAvailableZoneIds().contains(text)) {
      throw new IllegalArgumentException(
          "not an IANA time zone, like Europe/Berlin or UTC: \"%s\"".formatted(text));
    }
    return ZoneId.of(text);
  }
}
