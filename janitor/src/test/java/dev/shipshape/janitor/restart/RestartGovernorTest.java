package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartGovernorTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration QUARTER = Duration.ofMinutes(15);

  private final RestartGovernor governor =
      new RestartGovernor(QUARTER, Duration.ofHours(4), 2, 6, Duration.ofMinutes(1));

  @Test
  void anOperatorThatRunsForLongMayBeRestarted() {
    assertThat(governor.forbids(operator(List.of()), Optional.empty(), NOW)).isEmpty();
  }

  @Test
  void theCooldownCountsFromTheLastStartToTheSecond() {
    assertThat(reason(operator(List.of(NOW.minus(QUARTER).plusSeconds(1)))))
        .isEqualTo(RestartRefusal.COOLDOWN);
    assertThat(governor.forbids(operator(List.of(NOW.minus(QUARTER))), Optional.empty(), NOW))
        .isEmpty();
  }

  @Test
  void aStartByAnybodyElseBeginsTheCooldownToo() {
    var started = new TestOperators(NOW).started(NOW.minusSeconds(60)).snapshot();
    assertThat(reason(started)).isEqualTo(RestartRefusal.COOLDOWN);
  }

  @ParameterizedTest
  @CsvSource({"0,15", "1,15", "2,30", "3,60", "4,120", "5,240", "6,240", "20,240"})
  void theCooldownDoublesWithEachRestartOfADay(int restarts, int minutes) {
    assertThat(governor.cooldownAfter(restarts)).isEqualTo(Duration.ofMinutes(minutes));
  }

  @Promise(
      value = "There are at most two restarts an hour and six a day.",
      breaks = "A cooldown without a budget.")
  @Test
  void noMoreThanTwoAnHourAndSixADay() {
    var eager = new RestartGovernor(QUARTER, QUARTER, 2, 6, Duration.ofMinutes(1));
    assertThat(reason(eager, operator(hoursAgo(0.3, 0.9)))).isEqualTo(RestartRefusal.HOURLY_BUDGET);
    assertThat(eager.forbids(operator(hoursAgo(0.3, 1.0)), Optional.empty(), NOW)).isEmpty();
    assertThat(reason(eager, operator(hoursAgo(2, 4, 6, 8, 10, 12))))
        .isEqualTo(RestartRefusal.DAILY_BUDGET);
    assertThat(eager.forbids(operator(hoursAgo(2, 4, 6, 8, 10, 24)), Optional.empty(), NOW))
        .isEmpty();
  }

  @Test
  void aSpentBudgetOfTheDayNamesWhenItHasRoomAgain() {
    var eager = new RestartGovernor(QUARTER, QUARTER, 2, 2, Duration.ofMinutes(1));
    assertThat(eager.forbids(operator(hoursAgo(25, 20, 12, 3)), Optional.empty(), NOW))
        .as("once two of the three are a day old")
        .contains(
            new Refusal(
                RestartRefusal.DAILY_BUDGET,
                "restarted 3 times within a day, until 2026-11-22T00:00:00Z"));
  }

  /** A day of a fault that never heals: whatever the order of checks, the budget holds. */
  @Test
  void aDayOfCheckingEvery30SecondsRestartsSixTimesAtMost() {
    var restarts = new ArrayList<Instant>();
    for (var now = NOW; now.isBefore(NOW.plus(Duration.ofHours(23))); now = now.plusSeconds(30)) {
      if (decide(restarts, now).isEmpty()) {
        restarts.add(now);
      }
    }
    assertThat(restarts)
        .containsExactly(
            NOW,
            NOW.plus(QUARTER),
            NOW.plus(Duration.ofMinutes(60)),
            NOW.plus(Duration.ofMinutes(120)),
            NOW.plus(Duration.ofMinutes(240)),
            NOW.plus(Duration.ofMinutes(480)));
  }

  @Test
  void whatIsPausedRollingOutOrScaledToNothingIsLeftAlone() {
    assertThat(reason(new TestOperators(NOW).paused().snapshot())).isEqualTo(RestartRefusal.PAUSED);
    assertThat(reason(new TestOperators(NOW).inProgress().snapshot()))
        .isEqualTo(RestartRefusal.ROLLOUT_IN_PROGRESS);
    assertThat(reason(new TestOperators(NOW).replicas(0).snapshot()))
        .isEqualTo(RestartRefusal.NO_REPLICAS);
  }

  @Test
  void maintenanceRefusesByLabelAndByMonitoring() {
    assertThat(
            reason(
                new TestOperators(NOW)
                    .labelled(OperatorAnnotations.MAINTENANCE, "true")
                    .snapshot()))
        .isEqualTo(RestartRefusal.MAINTENANCE);
    assertThat(governor.forbids(operator(List.of()), Optional.of("an alert"), NOW))
        .contains(new Refusal(RestartRefusal.MAINTENANCE, "an alert"));
  }

  @Test
  void clocksApartMakeEveryTimeDoubtful() {
    assertThat(governor.forbids(at(60), Optional.empty(), NOW)).isEmpty();
    assertThat(governor.forbids(at(-60), Optional.empty(), NOW)).isEmpty();
    assertThat(reason(at(61))).isEqualTo(RestartRefusal.CLOCKS_APART);
    assertThat(reason(at(-61))).isEqualTo(RestartRefusal.CLOCKS_APART);
  }

  /** In Berlin, 25 October 2026 has 25 hours and 29 March 23: a budget has 24 on each. */
  @ParameterizedTest
  @CsvSource({"2026-10-24T12:00:00", "2026-10-25T12:00:00", "2026-03-28T12:00:00"})
  void aDayOfTheBudgetIsElapsedTimeWhateverLocalClocksDo(String local) {
    var before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      var first = LocalDateTime.parse(local).atZone(ZoneId.systemDefault()).toInstant();
      var restarts = IntStream.range(0, 6).mapToObj(i -> first.plus(Duration.ofHours(i))).toList();
      var almost = first.plus(Duration.ofDays(1)).minusSeconds(1);
      var after = first.plus(Duration.ofDays(1));
      assertThat(reasonAt(restarts, almost)).isEqualTo(RestartRefusal.DAILY_BUDGET);
      assertThat(decide(restarts, after)).isEmpty();
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** A clock that was ahead when it restarted and was then corrected opens nothing. */
  @Test
  void aRestartInTheFutureStillCounts() {
    assertThat(reasonAt(List.of(NOW.plus(Duration.ofHours(2))), NOW))
        .isEqualTo(RestartRefusal.COOLDOWN);
  }

  private RestartRefusal reasonAt(List<Instant> restarts, Instant now) {
    return decide(restarts, now).orElseThrow().reason();
  }

  private Optional<Refusal> decide(List<Instant> restarts, Instant now) {
    var operator = new TestOperators(now).restarted(restarts.toArray(Instant[]::new)).snapshot();
    return governor.forbids(operator, Optional.empty(), now);
  }

  private RestartRefusal reason(OperatorSnapshot operator) {
    return reason(governor, operator);
  }

  private static RestartRefusal reason(RestartGovernor governor, OperatorSnapshot operator) {
    return governor.forbids(operator, Optional.empty(), NOW).orElseThrow().reason();
  }

  private static List<Instant> hoursAgo(double... hours) {
    var restarts = new ArrayList<Instant>();
    for (var hour : hours) {
      restarts.addFirst(NOW.minusSeconds((long) (hour * 3600)));
    }
    return restarts.stream().sorted().toList();
  }

  private static OperatorSnapshot at(int seconds) {
    return new TestOperators(NOW.plusSeconds(seconds)).snapshot();
  }

  private static OperatorSnapshot operator(List<Instant> restarts) {
    return new TestOperators(NOW).restarted(restarts.toArray(Instant[]::new)).snapshot();
  }
}
