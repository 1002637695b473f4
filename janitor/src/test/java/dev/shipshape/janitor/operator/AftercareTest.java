package dev.shipshape.janitor.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.operator.Findings.Symptom;
import dev.shipshape.janitor.operator.RestartGovernor.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AftercareTest {
  private static final Instant RESTART = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(2);

  private final Rollouts standing = Rollouts.at(RESTART).restarted(RESTART);
  private final Rollouts takenBack = Rollouts.at(RESTART).rememberedElsewhere(RESTART);
  private final Aftercare aftercare = aftercare();

  @Test
  void whatBecameOfARestartIsToldOnceByWhicheverJanitorLives() {
    assertThat(look(standing, Symptom.GONE, 1)).as("still open").isEmpty();
    assertThat(look(standing, Symptom.GONE, 3)).contains(Aftermath.CURED);
    assertThat(look(standing, Symptom.PRESENT, 4)).isEmpty();
    assertThat(look(aftercare(), standing, Symptom.PRESENT, 19)).contains(Aftermath.INEFFECTIVE);
    assertThat(look(aftercare(), standing, Symptom.PRESENT, 20)).as("long ago").isEmpty();
  }

  /** The answer to the patch may have been lost: then only the Deployment tells of it. */
  @Test
  void theNextRestartIsFollowedWhoeverKnowsOfIt() {
    assertThat(look(standing, Symptom.GONE, 3)).contains(Aftermath.CURED);
    var next = RESTART.plus(Duration.ofMinutes(15));
    var again = Rollouts.at(next).restarted(RESTART, next);
    assertThat(look(again, Symptom.PRESENT, 18)).contains(Aftermath.INEFFECTIVE);
  }

  @Test
  void aRestartThatIsTakenBackAfterItHelpedIsNoticedToo() {
    assertThat(look(standing, Symptom.GONE, 3)).contains(Aftermath.CURED);
    assertThat(look(standing, Symptom.GONE, 59)).isEmpty();
    assertThat(look(takenBack, Symptom.GONE, 60)).contains(Aftermath.REVERTED);
    assertThat(look(takenBack, Symptom.GONE, 61)).as("told once").isEmpty();
  }

  @Test
  void whatIsTakenBackAnotherDayIsAnUpgrade() {
    assertThat(look(standing, Symptom.GONE, 3)).contains(Aftermath.CURED);
    assertThat(look(takenBack, Symptom.GONE, 120)).isEmpty();
    assertThat(look(takenBack, Symptom.GONE, 121)).isEmpty();
  }

  @Test
  void whatWasTakenBackBeforeThisJanitorLivedIsNoNews() {
    assertThat(look(takenBack, Symptom.GONE, 21)).isEmpty();
    assertThat(look(aftercare(), takenBack, Symptom.GONE, 19)).contains(Aftermath.REVERTED);
  }

  @Test
  void aRestartThatShowsNeitherInTwentyMinutesIsSaidToBeUnclear() {
    assertThat(look(standing, Symptom.UNCLEAR, 19)).isEmpty();
    assertThat(look(standing, Symptom.UNCLEAR, 20)).contains(Aftermath.UNCLEAR);
    assertThat(look(standing, Symptom.UNCLEAR, 21)).as("told once").isEmpty();
  }

  /** Another replica led meanwhile, and told. */
  @Test
  void whatCameOfARestartWhileThisJanitorDidNotLookIsNoNews() {
    assertThat(look(standing, Symptom.UNCLEAR, 1)).isEmpty();
    assertThat(look(standing, Symptom.UNCLEAR, 30)).isEmpty();
    assertThat(look(standing, Symptom.UNCLEAR, 31)).isEmpty();

    var other = aftercare();
    assertThat(look(other, standing, Symptom.GONE, 3)).contains(Aftermath.CURED);
    assertThat(look(other, takenBack, Symptom.GONE, 60)).isEmpty();
    assertThat(look(other, takenBack, Symptom.GONE, 61)).isEmpty();
  }

  @Test
  void aRestartBySomebodyElseIsNotOursToJudge() {
    var theirs = Rollouts.at(RESTART).rememberedElsewhere(RESTART).template(RESTART);
    assertThat(look(theirs, Symptom.PRESENT, 3)).isEmpty();
    assertThat(look(theirs, Symptom.UNCLEAR, 21)).isEmpty();
  }

  private static Aftercare aftercare() {
    return new Aftercare("the operator", WINDOW, Duration.ofMinutes(5));
  }

  private Optional<Aftermath> look(Rollouts rollout, Symptom symptom, int minutes) {
    return look(aftercare, rollout, symptom, minutes);
  }

  private static Optional<Aftermath> look(
      Aftercare aftercare, Rollouts rollout, Symptom symptom, int minutes) {
    var standing = new Standing(rollout.rollout(), new Decision.Restart());
    return aftercare.look(standing, symptom, RESTART.plus(Duration.ofMinutes(minutes)));
  }
}
