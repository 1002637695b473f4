package dev.shipshape.janitor.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FollowUpTest {
  private static final Instant RESTART = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(2);
  private static final Diagnosis HEALTHY = new Diagnosis.Healthy();
  private static final Diagnosis STUCK = new Diagnosis.Stuck("log", 5, RESTART, RESTART);

  @Test
  void aRolloutInProgressIsOpenForTenMinutes() {
    assertThat(after(Duration.ofMinutes(9), true, HEALTHY)).isEmpty();
    assertThat(after(Duration.ofMinutes(10), true, HEALTHY)).contains(Aftermath.OVERDUE);
  }

  @Test
  void whetherItHelpedIsToldOnceOldLinesNoLongerCount() {
    assertThat(after(Duration.ofSeconds(119), false, HEALTHY)).isEmpty();
    assertThat(after(WINDOW, false, HEALTHY)).contains(Aftermath.CURED);
    assertThat(after(WINDOW, false, STUCK)).contains(Aftermath.INEFFECTIVE);
    assertThat(after(WINDOW, false, new Diagnosis.Unreadable("x"))).isEmpty();
  }

  @Test
  void aRestartIsFollowedForTwentyMinutesByWhicheverJanitorLives() {
    assertThat(FollowUp.isDue(rollout(false), RESTART.plus(Duration.ofMinutes(19)))).isTrue();
    assertThat(FollowUp.isDue(rollout(false), RESTART.plus(Duration.ofMinutes(20)))).isFalse();
  }

  private static Optional<Aftermath> after(Duration time, boolean inProgress, Diagnosis diagnosis) {
    return FollowUp.of(rollout(inProgress), diagnosis, WINDOW, RESTART.plus(time));
  }

  private static Rollout rollout(boolean inProgress) {
    var ours = List.of(RESTART);
    return new Rollout(
        RESTART, "1", 1, false, inProgress, false, ours, ours, RESTART.toString(), RESTART, 1);
  }
}
