package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In Berlin, the clocks jump from 02:00 to 03:00 on 2027-03-28 and back at 03:00 on 2026-10-25. */
class ScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Set<DayOfWeek> DAILY = EnumSet.allOf(DayOfWeek.class);

  @Test
  void aTimeThatTheClocksSkipIsLeftOutThatDay() {
    assertThat(next("0 30 2 * * ?", "2027-03-27T00:00+01:00", 2))
        .containsExactly("2027-03-27T02:30+01:00", "2027-03-29T02:30+02:00");
    assertThat(next("0 0/15 * * * ?", "2027-03-28T01:40+01:00", 2))
        .containsExactly("2027-03-28T01:45+01:00", "2027-03-28T03:00+02:00");
  }

  @Test
  void aTimeThatComesTwiceIsTakenOnce() {
    assertThat(next("0 30 2 * * ?", "2026-10-24T23:00+02:00", 2))
        .containsExactly("2026-10-25T02:30+01:00", "2026-10-26T02:30+01:00");
  }

  /** Asked at every minute of the two days, as a janitor would that starts just then. */
  @ParameterizedTest
  @ValueSource(strings = {"2027-03-28T00:00+01:00", "2026-10-25T00:00+02:00"})
  void onADayOfChangeTheNextRunIsAlwaysLaterAndSoon(String day) {
    var schedule = new Schedule("0 0/15 * * * ?", BERLIN, List.of());
    var begin = OffsetDateTime.parse(day).toInstant();
    for (var minute = 0; minute < 26 * 60; minute++) {
      var now = begin.plus(Duration.ofMinutes(minute));
      assertThat(schedule.next(1, now).getFirst())
          .isAfter(now)
          .isBeforeOrEqualTo(now.plus(Duration.ofMinutes(75)));
    }
  }

  @Test
  void runsInAWindowAreLeftOutAndItsEndIsNotPartOfIt() {
    var night = new BlackoutWindow(LocalTime.of(22, 0), LocalTime.of(6, 0), DAILY, BERLIN);
    assertThat(next("0 0 0/2 * * ?", "2026-11-20T18:30+01:00", 3, night))
        .containsExactly(
            "2026-11-20T20:00+01:00", "2026-11-21T06:00+01:00", "2026-11-21T08:00+01:00");
  }

  @Test
  void theDayOfAWindowIsTheOneOnWhichItBegins() {
    var monday =
        new BlackoutWindow(
            LocalTime.of(22, 0), LocalTime.of(2, 0), Set.of(DayOfWeek.MONDAY), BERLIN);
    assertThat(holds(monday, "2026-11-23T21:59:59+01:00")).as("Monday, before").isFalse();
    assertThat(holds(monday, "2026-11-23T22:00:00+01:00")).isTrue();
    assertThat(holds(monday, "2026-11-24T01:59:59+01:00")).as("Tuesday, still").isTrue();
    assertThat(holds(monday, "2026-11-24T02:00:00+01:00")).isFalse();
    assertThat(holds(monday, "2026-11-23T01:00:00+01:00")).as("Sunday's night").isFalse();
    assertThat(holds(monday, "2026-11-24T22:30:00+01:00")).as("Tuesday's").isFalse();
  }

  @Test
  void aWholeDayIsFromMidnightToMidnight() {
    var sunday =
        new BlackoutWindow(
            LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, Set.of(DayOfWeek.SUNDAY), BERLIN);
    assertThat(next("0 0 12 * * ?", "2026-11-20T13:00+01:00", 2, sunday))
        .containsExactly("2026-11-21T12:00+01:00", "2026-11-23T12:00+01:00");
    assertThat(holds(sunday, "2026-10-25T23:59:59+01:00")).as("a day of 25 hours").isTrue();
    assertThat(holds(sunday, "2026-10-25T00:00:00+02:00")).isTrue();
    assertThat(holds(sunday, "2026-10-24T23:59:59+02:00")).isFalse();
  }

  @Test
  void whereTheClocksChangeAWindowHoldsByTheClock() {
    var window = new BlackoutWindow(LocalTime.of(2, 30), LocalTime.of(4, 0), DAILY, BERLIN);
    assertThat(holds(window, "2027-03-28T01:59:59+01:00")).isFalse();
    assertThat(holds(window, "2027-03-28T03:00:00+02:00")).as("the skipped 02:30").isTrue();
    assertThat(holds(window, "2026-10-25T02:30:00+02:00")).as("the first 02:30").isTrue();
    assertThat(holds(window, "2026-10-25T02:00:00+01:00")).as("02:00 again").isFalse();
    assertThat(holds(window, "2026-10-25T02:30:00+01:00")).as("the second 02:30").isTrue();
  }

  @Test
  void aWindowHasItsOwnZone() {
    var utc = new BlackoutWindow(LocalTime.of(1, 0), LocalTime.of(2, 0), DAILY, ZoneId.of("UTC"));
    assertThat(next("0 30 * * * ?", "2026-11-21T01:40+01:00", 2, utc))
        .containsExactly("2026-11-21T03:30+01:00", "2026-11-21T04:30+01:00");
  }

  private static boolean holds(BlackoutWindow blackout, String time) {
    return blackout.contains(OffsetDateTime.parse(time).toInstant());
  }

  private static List<String> next(
      String cron, String after, int count, BlackoutWindow... blackouts) {
    return new Schedule(cron, BERLIN, List.of(blackouts))
        .next(count, OffsetDateTime.parse(after).toInstant()).stream()
            .map((Instant run) -> run.atZone(BERLIN).toOffsetDateTime().toString())
            .toList();
  }
}
