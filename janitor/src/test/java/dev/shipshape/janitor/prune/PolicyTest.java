package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.POLICY;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static dev.shipshape.janitor.prune.TestSessions.session;
import static dev.shipshape.janitor.prune.TestSessions.times;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.Verdict.Keep;
import dev.shipshape.janitor.prune.Verdict.Prune;
import dev.shipshape.janitor.prune.Verdict.Reason;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Times;
import dev.shipshape.sandbox.junit.Promise;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(30));
  private static final Times OLD = times(LONG_AGO, LONG_AGO, LONG_AGO);

  @Test
  void aCompleteSessionGoesOnceItIsOldEnoughToTheSecond() {
    var week = Duration.ofDays(7);
    assertThat(POLICY.judge(complete(1, week), NOW)).isEqualTo(new Prune(week));
    assertThat(POLICY.judge(complete(1, week.minusSeconds(1)), NOW))
        .isEqualTo(new Keep(Reason.YOUNG));
  }

  @Promise(
      value = "A session that is not provably complete stays, however old it is.",
      breaks = "Deciding by age alone.")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "running",
        "Complete",
        "complete ",
        "completed",
        "COMPLETE",
        "pending",
        "none"
      })
  void anyOtherStateStaysHoweverOld(String state) {
    assertThat(POLICY.judge(session(batcher(1), state, OLD, null), NOW))
        .isEqualTo(new Keep(Reason.STATE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "boa-00000001-0000-4000-8000-000000000001",
        "my-batcher-00000001-0000-4000-8000-000000000001",
        "batcher-00000001-0000-4000-8000-000000000001-x",
        "batcher-",
        "batcher-important",
        "batcher"
      })
  void anyOtherNameStays(String name) {
    assertThat(POLICY.judge(session(name, "complete", OLD, null), NOW))
        .isEqualTo(new Keep(Reason.NAME));
  }

  @Test
  void ageCountsFromCompletionElseStartElseCreation() {
    var yesterday = NOW.minus(Duration.ofDays(1));
    assertThat(judge(times(LONG_AGO, LONG_AGO, yesterday))).isEqualTo(new Keep(Reason.YOUNG));
    assertThat(judge(times(LONG_AGO, yesterday, null))).isEqualTo(new Keep(Reason.YOUNG));
    assertThat(judge(times(yesterday, null, null))).isEqualTo(new Keep(Reason.YOUNG));
    assertThat(judge(times(yesterday, LONG_AGO, LONG_AGO))).isInstanceOf(Prune.class);
    assertThat(judge(times(yesterday, LONG_AGO, null))).isInstanceOf(Prune.class);
    assertThat(judge(times(LONG_AGO, null, null))).isInstanceOf(Prune.class);
    assertThat(judge(times(null, null, null))).isEqualTo(new Keep(Reason.UNKNOWN_AGE));
  }

  @Test
  void withoutACompletionTimeTheGraceIsAddedForItMayHaveEndedAMomentAgo() {
    var week = Duration.ofDays(7);
    assertThat(judge(times(null, NOW.minus(week.plusSeconds(299)), null)))
        .isEqualTo(new Keep(Reason.YOUNG));
    assertThat(judge(times(null, NOW.minus(week.plusSeconds(301)), null)))
        .isInstanceOf(Prune.class);
  }

  @Test
  void withoutACompletionTimeTheGraceCountsFromTheLastWriteTooForItMayHaveRunForDays() {
    assertThat(judge(new Times(LONG_AGO, LONG_AGO, null, NOW.minusSeconds(299))))
        .isEqualTo(new Keep(Reason.YOUNG));
    assertThat(judge(new Times(LONG_AGO, LONG_AGO, null, NOW.plusSeconds(1))))
        .isEqualTo(new Keep(Reason.YOUNG));
    assertThat(judge(new Times(LONG_AGO, LONG_AGO, null, NOW.minusSeconds(300))))
        .isInstanceOf(Prune.class);
    assertThat(judge(new Times(LONG_AGO, LONG_AGO, LONG_AGO, NOW)))
        .as("it says when it completed")
        .isInstanceOf(Prune.class);
  }

  @Test
  void aCompletionInTheFutureIsKept() {
    assertThat(judge(times(LONG_AGO, LONG_AGO, NOW.plusSeconds(1))))
        .isEqualTo(new Keep(Reason.FUTURE));
  }

  /** As an operator writes it that has no time: Go's zero, or the epoch. */
  @ParameterizedTest
  @ValueSource(strings = {"0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z"})
  void aZeroTimeIsNoAge(String zero) {
    var time = Instant.parse(zero);
    assertThat(judge(times(LONG_AGO, LONG_AGO, time))).isEqualTo(new Keep(Reason.UNKNOWN_AGE));
    assertThat(judge(times(LONG_AGO, null, time))).isEqualTo(new Keep(Reason.UNKNOWN_AGE));
    assertThat(judge(times(null, time, null))).isEqualTo(new Keep(Reason.UNKNOWN_AGE));
  }

  @Test
  void aCompletionBeforeTheStartIsNoAge() {
    var times = times(null, LONG_AGO, LONG_AGO.minusSeconds(1));
    assertThat(judge(times)).isEqualTo(new Keep(Reason.UNKNOWN_AGE));
  }

  @Test
  void eachMarkKeepsASession() {
    assertThat(judge(Mark.KEEP)).isEqualTo(new Keep(Reason.KEEP_MARK));
    assertThat(judge(Mark.IMAGE_RESULT)).isEqualTo(new Keep(Reason.IMAGE_RESULT));
    assertThat(judge(Mark.TERMINATING)).isEqualTo(new Keep(Reason.TERMINATING));
    assertThat(judge(Mark.UNREADABLE_TIME)).isEqualTo(new Keep(Reason.UNKNOWN_AGE));
  }

  @Test
  void aSessionThatDoesNotSayThatItSucceededIsKeptLonger() {
    var month = Duration.ofDays(28);
    assertThat(POLICY.judge(failed(Duration.ofDays(7)), NOW)).isEqualTo(new Keep(Reason.FAILED));
    assertThat(POLICY.judge(failed(month.minusSeconds(1)), NOW)).isEqualTo(new Keep(Reason.FAILED));
    assertThat(POLICY.judge(failed(month), NOW)).isInstanceOf(Prune.class);
    assertThat(POLICY.judge(failed(Duration.ofDays(6)), NOW)).isEqualTo(new Keep(Reason.YOUNG));
  }

  private static Session failed(Duration age) {
    return session(batcher(1), "complete", times(null, null, NOW.minus(age)), null, Mark.FAILED);
  }

  @Test
  void imageSessionsGoOnlyWhereTheSettingsSayIt() {
    var policy = policy(Duration.ofDays(7), true);
    assertThat(policy.judge(session(batcher(1), "complete", OLD, null, Mark.IMAGE_RESULT), NOW))
        .isInstanceOf(Prune.class);
  }

  @Test
  void theGraceHoldsHoweverShortTheAge() {
    var hasty = policy(Duration.ofSeconds(1), false);
    assertThat(hasty.judge(complete(1, Duration.ofSeconds(299)), NOW))
        .isEqualTo(new Keep(Reason.YOUNG));
    assertThat(hasty.judge(complete(1, Duration.ofMinutes(5)), NOW)).isInstanceOf(Prune.class);
  }

  /** With a grace of five minutes. */
  private static Policy policy(Duration age, boolean imageResults) {
    return new Policy(
        age, age, Duration.ofMinutes(5), imageResults, 0, 2000, null, Duration.ofMinutes(1));
  }

  private static Verdict judge(Times times) {
    return POLICY.judge(session(batcher(1), "complete", times, "cfs-job"), NOW);
  }

  private static Verdict judge(Mark mark) {
    return POLICY.judge(session(batcher(1), "complete", OLD, null, mark), NOW);
  }
}
