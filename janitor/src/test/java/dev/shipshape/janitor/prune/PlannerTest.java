package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static dev.shipshape.janitor.prune.TestSessions.session;
import static dev.shipshape.janitor.prune.TestSessions.times;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.sandbox.junit.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void theOldestGoFirstAndTheRestNextTime() {
    var plan = plan(limits(0, 2, null), old(3), old(1), old(4), old(2));
    assertThat(plan.deletions())
        .extracting(deletion -> deletion.session().name())
        .containsExactly(batcher(4), batcher(3));
    assertThat(plan.stats().eligible()).isEqualTo(4);
  }

  @Test
  void oneThatIsListedTwiceGoesOnce() {
    var plan = plan(limits(0, 100, null), old(2), old(1), old(2));
    assertThat(plan.deletions())
        .extracting(deletion -> deletion.session().name())
        .containsExactly(batcher(2), batcher(1));
  }

  @Test
  void theNewestCompleteOnesAreKept() {
    var plan = plan(limits(2, 100, null), old(3), old(1), old(4), old(2));
    assertThat(plan.deletions())
        .extracting(deletion -> deletion.session().name())
        .containsExactly(batcher(4), batcher(3));
    assertThat(plan.stats().eligible()).isEqualTo(2);
    assertThat(plan.stats().kept()).containsEntry(Verdict.Reason.NEWEST, 2);
  }

  /** One of them may not go yet; one is of the future, and nobody knows its age. */
  @Test
  void theNewestAreKeptHoweverFewMayGoAndWhetherOrNotTheyMay() {
    var young = complete(9, Duration.ofDays(1));
    var future = complete(8, Duration.ofDays(-1));
    var plan = plan(limits(2, 1, null), old(1), young, future, old(2), old(3));
    assertThat(plan.deletions())
        .extracting(deletion -> deletion.session().name())
        .containsExactly(batcher(3));
    assertThat(plan.stats().eligible()).isEqualTo(2);
    assertThat(plan.stats().kept()).containsEntry(Verdict.Reason.NEWEST, 1);
  }

  /** A proxy may repeat a part of a list. */
  @Test
  void oneThatIsListedTwiceIsKeptOnceAmongTheNewest() {
    var plan = plan(limits(2, 9, null), old(3), old(2), old(1), old(1));
    assertThat(plan.deletions())
        .extracting(deletion -> deletion.session().name())
        .containsExactly(batcher(3));
  }

  @Promise(
      value = "A run that would delete more than `prune.maxPercent` deletes nothing.",
      breaks = "Shortening the list to the limit.")
  @Test
  void moreThanTheShareOfAllSessionsStopsTheWholeRun() {
    var young = complete(9, Duration.ofDays(1));
    assertThat(plan(limits(0, 1, 50), old(1), young).blocked()).isNull();
    var stopped = plan(limits(0, 1, 50), old(1), old(2), young);
    assertThat(stopped.blocked()).isEqualTo(BlockReason.TOO_MANY);
    assertThat(stopped.deletions()).isEmpty();
  }

  @Test
  void clocksMoreThanTheToleranceApartStopTheWholeRun() {
    assertThat(planAt(NOW.plus(MINUTE), limits(0, 9, null), old(1)).blocked()).isNull();
    assertThat(planAt(NOW.minus(MINUTE), limits(0, 9, null), old(1)).blocked()).isNull();
    for (var own : List.of(NOW.plus(MINUTE).plusMillis(1), NOW.minus(MINUTE).minusMillis(1))) {
      var plan = planAt(own, limits(0, 9, null), old(1));
      assertThat(plan.blocked()).isEqualTo(BlockReason.CLOCKS_APART);
      assertThat(plan.deletions()).isEmpty();
    }
  }

  @Test
  void theSessionStatsCountEverySessionByState() {
    var census =
        plan(
                limits(0, 9, null),
                old(1),
                session("x", "running", times(NOW, NOW, null), null),
                session("y", "", times(null, null, null), null))
            .stats();
    assertThat(census.total()).isEqualTo(3);
    assertThat(census.byState())
        .containsOnly(
            Map.entry(SessionStats.State.COMPLETE, 1),
            Map.entry(SessionStats.State.RUNNING, 1),
            Map.entry(SessionStats.State.OTHER, 1));
  }

  private static Session old(int number) {
    return complete(number, Duration.ofDays(10 + number));
  }

  private static Policy limits(int keepNewest, int most, @Nullable Integer percent) {
    return TestSessions.policy(keepNewest, most, percent);
  }

  private static RunReport plan(Policy policy, Session... sessions) {
    return planAt(NOW, policy, sessions);
  }

  /** From a list that takes an hour: the clocks are compared as they were when it began. */
  private static RunReport planAt(Instant own, Policy policy, Session... sessions) {
    var clock = new AtomicReference<>(own);
    var meanwhile = Stream.of(sessions).peek(_ -> clock.set(own.plus(Duration.ofHours(1))));
    return Planner.plan(policy, new SessionList(new FakeStore(NOW), NOW, meanwhile), clock::get);
  }
}
