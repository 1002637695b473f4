package dev.shipshape.janitor.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.operator.RestartGovernor.Decision;
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
    assertThat(governor.decide(rollout(List.of()), Optional.empty(), NOW))
        .isEqualTo(new Decision.Restart());
  }

  @Test
  void theCooldownCountsFromTheLastStartToTheSecond() {
    assertThat(reason(rollout(List.of(NOW.minus(QUARTER).plusSeconds(1)))))
        .isEqualTo(Refusal.COOLDOWN);
    assertThat(governor.decide(rollout(List.of(NOW.minus(QUARTER))), Optional.empty(), NOW))
        .isEqualTo(new Decision.Restart());
  }

  @Test
  void aStartByAnybodyElseBeginsTheCooldownToo() {
    var started = Rollouts.at(NOW).started(NOW.minusSeconds(60)).rollout();
    assertThat(reason(started)).isEqualTo(Refusal.COOLDOWN);
  }

  @ParameterizedTest
  @CsvSource({"0,15", "1,15", "2,30", "3,60", "4,120", "5,240", "6,240", "20,240"})
  void theCooldownDoublesWithEachRestartOfADay(int restarts, int minutes) {
    assertThat(governor.cooldownAfter(restarts)).isEqualTo(Duration.ofMinutes(minutes));
  }

  @Test
  void noMoreThanTwoAnHourAndSixADay() {
    var eager = new RestartGovernor(QUARTER, QUARTER, 2, 6, Duration.ofMinutes(1));
    assertThat(reason(eager, rollout(hoursAgo(0.3, 0.9)))).isEqualTo(Refusal.HOURLY_BUDGET);
    assertThat(eager.decide(rollout(hoursAgo(0.3, 1.0)), Optional.empty(), NOW))
        .isEqualTo(new Decision.Restart());
    assertThat(reason(eager, rollout(hoursAgo(2, 4, 6, 8, 10, 12))))
        .isEqualTo(Refusal.DAILY_BUDGET);
    assertThat(eager.decide(rollout(hoursAgo(2, 4, 6, 8, 10, 24)), Optional.empty(), NOW))
        .isEqualTo(new Decision.Restart());
  }

  /** A day of a fault that never heals: whatever the order of checks, the budget holds. */
  @Test
  void aDayOfCheckingEvery30SecondsRestartsSixTimesAtMost() {
    var restarts = new ArrayList<Instant>();
    for (var now = NOW; now.isBefore(NOW.plus(Duration.ofHours(23))); now = now.plusSeconds(30)) {
      var rollout = Rollouts.at(now).restarted(restarts.toArray(Instant[]::new)).rollout();
      if (governor.decide(rollout, Optional.empty(), now) instanceof Decision.Restart) {
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
    assertThat(reason(Rollouts.at(NOW).paused().rollout())).isEqualTo(Refusal.PAUSED);
    assertThat(reason(Rollouts.at(NOW).inProgress().rollout()))
        .isEqualTo(Refusal.ROLLOUT_IN_PROGRESS);
    assertThat(reason(Rollouts.at(NOW).replicas(0).rollout())).isEqualTo(Refusal.NO_REPLICAS);
  }

  @Test
  void maintenanceRefusesByAnnotationAndByMonitoring() {
    assertThat(reason(Rollouts.at(NOW).maintenance().rollout())).isEqualTo(Refusal.MAINTENANCE);
    assertThat(governor.decide(rollout(List.of()), Optional.of("an alert"), NOW))
        .isEqualTo(new Decision.Refuse(Refusal.MAINTENANCE, "an alert"));
  }

  @Test
  void clocksApartMakeEveryTimeDoubtful() {
    assertThat(reason(Rollouts.at(NOW.plusSeconds(61)).rollout())).isEqualTo(Refusal.CLOCKS_APART);
    assertThat(reason(Rollouts.at(NOW.minusSeconds(61)).rollout())).isEqualTo(Refusal.CLOCKS_APART);
    assertThat(reason(Rollouts.at(null).rollout()))
        .as("a server that does not tell its time")
        .isEqualTo(Refusal.CLOCKS_APART);
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
      assertThat(reasonAt(restarts, almost)).isEqualTo(Refusal.DAILY_BUDGET);
      assertThat(decide(restarts, after)).isEqualTo(new Decision.Restart());
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** A clock that was ahead when it restarted and was then corrected opens nothing. */
  @Test
  void aRestartInTheFutureStillCounts() {
    assertThat(reasonAt(List.of(NOW.plus(Duration.ofHours(2))), NOW)).isEqualTo(Refusal.COOLDOWN);
  }

  @Test
  void theStateTellsWhatWouldBeSaid() {
    assertThat(state(List.of())).isEqualTo(GovernorState.READY);
    assertThat(state(List.of(NOW.minusSeconds(60)))).isEqualTo(GovernorState.COOLING);
    assertThat(state(hoursAgo(2, 4, 6, 8, 10, 12))).isEqualTo(GovernorState.DAILY_BUDGET);
    assertThat(
            GovernorState.of(
                new RestartGovernor(QUARTER, QUARTER, 2, 6, Duration.ofMinutes(1))
                    .decide(rollout(hoursAgo(0.3, 0.9)), Optional.empty(), NOW)))
        .isEqualTo(GovernorState.HOURLY_BUDGET);
    assertThat(
            GovernorState.of(
                governor.decide(Rollouts.at(NOW).paused().rollout(), Optional.empty(), NOW)))
        .isEqualTo(GovernorState.BLOCKED);
  }

  private GovernorState state(List<Instant> restarts) {
    return GovernorState.of(decide(restarts, NOW));
  }

  private Refusal reasonAt(List<Instant> restarts, Instant now) {
    return ((Decision.Refuse) decide(restarts, now)).reason();
  }

  private Decision decide(List<Instant> restarts, Instant now) {
    var rollout = Rollouts.at(now).restarted(restarts.toArray(Instant[]::new)).rollout();
    return governor.decide(rollout, Optional.empty(), now);
  }

  private Refusal reason(Rollout rollout) {
    return reason(governor, rollout);
  }

  private static Refusal reason(RestartGovernor governor, Rollout rollout) {
    assertThat(governor.decide(rollout, Optional.empty(), NOW)).isInstanceOf(Decision.Refuse.class);
    return ((Decision.Refuse) governor.decide(rollout, Optional.empty(), NOW)).reason();
  }

  private static List<Instant> hoursAgo(double... hours) {
    var restarts = new ArrayList<Instant>();
    for (var hour : hours) {
      restarts.addFirst(NOW.minusSeconds((long) (hour * 3600)));
    }
    return restarts.stream().sorted().toList();
  }

  private static Rollout rollout(List<Instant> restarts) {
    return Rollouts.at(NOW).restarted(restarts.toArray(Instant[]::new)).rollout();
  }
}
