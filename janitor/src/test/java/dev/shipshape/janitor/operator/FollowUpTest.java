package dev.shipshape.janitor.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.operator.Findings.Symptom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FollowUpTest {
  private static final Instant RESTART = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(2);

  @Test
  void aRolloutInProgressIsOpenForTenMinutes() {
    assertThat(after(Duration.ofMinutes(9), true, Symptom.GONE)).isEmpty();
    assertThat(after(Duration.ofMinutes(10), true, Symptom.GONE)).contains(Aftermath.OVERDUE);
  }

  @Test
  void whetherItHelpedIsToldOnceOldLinesNoLongerCount() {
    assertThat(after(Duration.ofSeconds(119), false, Symptom.GONE)).isEmpty();
    assertThat(after(WINDOW, false, Symptom.GONE)).contains(Aftermath.CURED);
    assertThat(after(WINDOW, false, Symptom.PRESENT)).contains(Aftermath.INEFFECTIVE);
    assertThat(after(WINDOW, false, Symptom.UNCLEAR)).isEmpty();
  }

  @Test
  void whatCameUpLateIsWatchedAsLong() {
    var start = RESTART.plus(Duration.ofMinutes(5));
    var rollout = Rollouts.at(RESTART).restarted(RESTART).started(start).rollout();
    var early = start.plus(WINDOW).minusSeconds(1);
    assertThat(FollowUp.ended(rollout, Symptom.GONE, RESTART, WINDOW, early)).isEmpty();
    assertThat(FollowUp.ended(rollout, Symptom.GONE, RESTART, WINDOW, start.plus(WINDOW)))
        .contains(Aftermath.CURED);
  }

  private static Optional<Aftermath> after(Duration time, boolean inProgress, Symptom symptom) {
    var rollout = Rollouts.at(RESTART).restarted(RESTART);
    return FollowUp.ended(
        (inProgress ? rollout.inProgress() : rollout).rollout(),
        symptom,
        RESTART,
        WINDOW,
        RESTART.plus(time));
  }
}
