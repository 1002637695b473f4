package dev.shipshape.janitor.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.operator.RestartGovernor.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
    assertThat(governor.decide(rollout(List.of()), NOW)).isEqualTo(new Decision.Restart());
  }

  @Test
  void theCooldownCountsFromTheLastStartToTheSecond() {
    assertThat(reason(rollout(List.of(NOW.minus(QUARTER).plusSeconds(1)))))
        .isEqualTo(Refusal.COOLDOWN);
    assertThat(governor.decide(rollout(List.of(NOW.minus(QUARTER))), NOW))
        .isEqualTo(new Decision.Restart());
  }

  @Test
  void aStartByAnybodyElseBeginsTheCooldownToo() {
    var started = with(false, false, 1, List.of(), NOW.minusSeconds(60));
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
    assertThat(eager.decide(rollout(hoursAgo(0.3, 1.0)), NOW)).isEqualTo(new Decision.Restart());
    assertThat(reason(eager, rollout(hoursAgo(2, 4, 6, 8, 10, 12))))
        .isEqualTo(Refusal.DAILY_BUDGET);
    assertThat(eager.decide(rollout(hoursAgo(2, 4, 6, 8, 10, 24)), NOW))
        .isEqualTo(new Decision.Restart());
  }

  /** A day of a fault that never heals: whatever the order of checks, the budget holds. */
  @Test
  void aDayOfCheckingEvery30SecondsRestartsSixTimesAtMost() {
    var restarts = new ArrayList<Instant>();
    for (var now = NOW; now.isBefore(NOW.plus(Duration.ofHours(23))); now = now.plusSeconds(30)) {
      var last = restarts.isEmpty() ? null : restarts.getLast();
      var rollout = new Rollout(now, "1", 1, false, false, false, restarts, restarts, "", last, 0);
      if (governor.decide(rollout, now) instanceof Decision.Restart) {
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
    assertThat(reason(with(true, false, 1, List.of(), null))).isEqualTo(Refusal.PAUSED);
    assertThat(reason(with(false, true, 1, List.of(), null)))
        .isEqualTo(Refusal.ROLLOUT_IN_PROGRESS);
    assertThat(reason(with(false, false, 0, List.of(), null))).isEqualTo(Refusal.NO_REPLICAS);
  }

  @Test
  void maintenanceRefuses() {
    assertThat(
            reason(new Rollout(NOW, "1", 1, false, false, true, List.of(), List.of(), "", null, 0)))
        .isEqualTo(Refusal.MAINTENANCE);
  }

  @Test
  void clocksApartMakeEveryTimeDoubtful() {
    assertThat(
            reason(
                new Rollout(
                    NOW.plusSeconds(61),
                    "1",
                    1,
                    false,
                    false,
                    false,
                    List.of(),
                    List.of(),
                    "",
                    null,
                    0)))
        .isEqualTo(Refusal.CLOCKS_APART);
    assertThat(
            reason(
                new Rollout(null, "1", 1, false, false, false, List.of(), List.of(), "", null, 0)))
        .as("a server that does not tell its time")
        .isEqualTo(Refusal.CLOCKS_APART);
  }

  private Refusal reason(Rollout rollout) {
    return reason(governor, rollout);
  }

  private static Refusal reason(RestartGovernor governor, Rollout rollout) {
    assertThat(governor.decide(rollout, NOW)).isInstanceOf(Decision.Refuse.class);
    return ((Decision.Refuse) governor.decide(rollout, NOW)).reason();
  }

  private static List<Instant> hoursAgo(double... hours) {
    var restarts = new ArrayList<Instant>();
    for (var hour : hours) {
      restarts.addFirst(NOW.minusSeconds((long) (hour * 3600)));
    }
    return restarts.stream().sorted().toList();
  }

  private static Rollout rollout(List<Instant> restarts) {
    return with(false, false, 1, restarts, restarts.isEmpty() ? null : restarts.getLast());
  }

  private static Rollout with(
      boolean paused,
      boolean inProgress,
      int replicas,
      List<Instant> restarts,
      @Nullable Instant lastStart) {
    return new Rollout(
        NOW,
        "1",
        replicas,
        paused,
        inProgress,
        false,
        restarts,
        restarts,
        "",
        lastStart,
        restarts.size());
  }
}
