package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.restart.OperatorMonitor.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestartVerifierTest {
  private static final Instant RESTART = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(2);

  private static final Health PRESENT =
      new Health(
          Diagnosis.stuck(5, RESTART, RESTART), Optional.empty(), Optional.of("it is stuck"));
  private static final Health GONE =
      new Health(Diagnosis.healthy(), Optional.empty(), Optional.empty());
  private static final Health UNCLEAR =
      new Health(Diagnosis.failing(1), Optional.empty(), Optional.empty());

  private final TestOperators standing = new TestOperators(RESTART).restarted(RESTART);
  private final TestOperators takenBack =
      new TestOperators(RESTART).oursRememberedElsewhere(RESTART);
  private final RestartVerifier verifier = new RestartVerifier(WINDOW, WINDOW);

  @Test
  void whatARestartCameToIsToldOnceOldLinesNoLongerCount() {
    assertThat(verify(standing, GONE, 1)).as("still open").isEmpty();
    assertThat(verify(standing, GONE, 2)).contains(RestartResult.CURED);
    assertThat(verify(standing, PRESENT, 4)).isEmpty();
  }

  @Test
  void aRestartThatHelpedNothingIsIneffective() {
    assertThat(verify(standing, PRESENT, 2)).contains(RestartResult.INEFFECTIVE);
  }

  @Test
  void aRolloutInProgressIsOpenForTenMinutes() {
    var inProgress = new TestOperators(RESTART).restarted(RESTART).inProgress();
    assertThat(verify(inProgress, GONE, 9)).isEmpty();
    assertThat(verify(inProgress, GONE, 10)).contains(RestartResult.OVERDUE);
  }

  @Test
  void whatCameUpLateIsWatchedAsLong() {
    var late = standing.started(RESTART.plus(Duration.ofMinutes(5)));
    assertThat(verify(late, GONE, 6)).isEmpty();
    assertThat(verify(late, GONE, 7)).contains(RestartResult.CURED);
  }

  /** As after a change of leader: the Deployment remembers. */
  @Test
  void whatAnotherJanitorHasToldIsNotToldAgain() {
    standing.annotated(OperatorAnnotations.RESTART_RESULT, RESTART + " cured");
    assertThat(verify(standing, PRESENT, 4)).isEmpty();
    takenBack.annotated(OperatorAnnotations.RESTART_RESULT, RESTART + " reverted");
    assertThat(verify(takenBack, GONE, 5)).isEmpty();
  }

  /** The answer to the patch may have been lost: then only the Deployment tells of it. */
  @Test
  void theNextRestartIsFollowedWhoeverKnowsOfIt() {
    assertThat(verify(standing, GONE, 3)).contains(RestartResult.CURED);
    var next = RESTART.plus(Duration.ofMinutes(15));
    var again = new TestOperators(next).restarted(RESTART, next);
    assertThat(verify(again, PRESENT, 18)).contains(RestartResult.INEFFECTIVE);
  }

  @Test
  void aRestartThatIsTakenBackAfterItHelpedIsNoticedToo() {
    assertThat(verify(standing, GONE, 3)).contains(RestartResult.CURED);
    assertThat(verify(standing, GONE, 59)).isEmpty();
    assertThat(verify(takenBack, GONE, 60)).contains(RestartResult.REVERTED);
    assertThat(verify(takenBack, GONE, 61)).as("told once").isEmpty();
  }

  @Test
  void whatIsTakenBackAnotherDayIsAnUpgrade() {
    assertThat(verify(standing, GONE, 3)).contains(RestartResult.CURED);
    assertThat(verify(takenBack, GONE, 120)).isEmpty();
  }

  @Test
  void aRestartThatShowsNeitherInTwentyMinutesIsUnclear() {
    assertThat(verify(standing, UNCLEAR, 19)).isEmpty();
    assertThat(verify(standing, UNCLEAR, 20)).contains(RestartResult.UNCLEAR);
    assertThat(verify(standing, GONE, 21)).as("told once").isEmpty();
  }

  @Test
  void aSymptomThatTakesLongToShowIsWaitedFor() {
    for (var minutes : List.of(25, 100)) {
      var slow = new RestartVerifier(WINDOW, Duration.ofMinutes(minutes));
      var later = RESTART.plus(Duration.ofMinutes(minutes));
      assertThat(slow.verify(standing.snapshot(), GONE, later.minusSeconds(1))).isEmpty();
      assertThat(slow.verify(standing.snapshot(), PRESENT, later))
          .contains(RestartResult.INEFFECTIVE);
    }
    var slow = new RestartVerifier(WINDOW, Duration.ofMinutes(25));
    assertThat(slow.verify(standing.snapshot(), PRESENT, RESTART.plus(WINDOW)))
        .as("by its log")
        .contains(RestartResult.INEFFECTIVE);
  }

  /** A fault of another day says nothing about it. */
  @Test
  void aRestartThatNobodyJudgedInTimeIsNeverSaidToBeIneffective() {
    assertThat(verify(standing, PRESENT, 20)).contains(RestartResult.UNCLEAR);
    assertThat(
            new RestartVerifier(WINDOW, WINDOW)
                .verify(standing.snapshot(), PRESENT, RESTART.plus(Duration.ofHours(2))))
        .isEmpty();
  }

  @Test
  void aRestartBySomebodyElseIsNotOursToJudge() {
    var undone = new TestOperators(RESTART).rememberedElsewhere(RESTART);
    assertThat(verify(undone, GONE, 5)).isEmpty();
    var theirs = new TestOperators(RESTART).rememberedElsewhere(RESTART).template(RESTART);
    assertThat(verify(theirs, PRESENT, 3)).isEmpty();
    assertThat(verify(theirs, UNCLEAR, 21)).isEmpty();
  }

  private Optional<RestartResult> verify(TestOperators operator, Health health, int minutes) {
    return verifier.verify(operator.snapshot(), health, RESTART.plus(Duration.ofMinutes(minutes)));
  }
}
