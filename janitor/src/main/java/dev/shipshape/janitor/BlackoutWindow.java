package dev.shipshape.janitor;

import dev.shipshape.service.Section;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A window of each day in which no run of the pruner begins.
 *
 * @param to exclusive; on the next day if it is at or before {@code from}
 * @param days the days on which the window begins: a window that begins on Monday at 22:00 still
 *     contains Tuesday 01:00
 */
public record BlackoutWindow(LocalTime from, LocalTime to, Set<DayOfWeek> days, ZoneId zone) {
  private static final String END_OF_DAY = "24:00";

  public BlackoutWindow {
    days = Set.copyOf(days);
  }

  /** Returns empty and reports a problem if the section is invalid. */
  static Optional<BlackoutWindow> read(Section section, ZoneId fallback) {
    section.required("from");
    section.required("to");
    var from = section.parsed("from", Optional.<LocalTime>empty(), BlackoutWindow::time);
    var to = section.parsed("to", Optional.<LocalTime>empty(), BlackoutWindow::end);
    var days = days(section);
    var zone = section.parsed("zone", fallback, Schedule::checkedZone);
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    if (from.equals(to) && !section.text("to", "").equals(END_OF_DAY)) {
      section.problem("to", "must not be the same as from; a whole day is from 00:00 to 24:00");
      return Optional.empty();
    }
    return Optional.of(new BlackoutWindow(from.get(), to.get(), days, zone));
  }

  /** Checks whether the window contains a time, by local time in its zone. */
  boolean contains(Instant time) {
    var local = time.atZone(zone);
    var clock = local.toLocalTime();
    var hasBegun = !clock.isBefore(from) && days.contains(local.getDayOfWeek());
    return to.isAfter(from)
        ? hasBegun && clock.isBefore(to)
        : hasBegun || (clock.isBefore(to) && days.contains(local.getDayOfWeek().minus(1)));
  }

  private static Set<DayOfWeek> days(Section section) {
    var days = section.texts("days", BlackoutWindow::day);
    if (days.isEmpty() && section.has("days")) {
      section.problem("days", "must name a day; leave it out for all");
    }
    return days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : EnumSet.copyOf(days);
  }

  private static DayOfWeek day(String text) {
    return Stream.of(DayOfWeek.values())
        .filter(day -> day.name().substring(0, 3).toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "not one of mon, tue, wed, thu, fri, sat, sun: " + text));
  }

  private static Optional<LocalTime> end(String text) {
    return text.equals(END_OF_DAY) ? Optional.of(LocalTime.MIDNIGHT) : time(text);
  }

  private static Optional<LocalTime> time(String text) {
    try {
      return Optional.of(LocalTime.parse(text));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a time like 22:00: \"%s\"".formatted(text), e);
    }
  }
}
