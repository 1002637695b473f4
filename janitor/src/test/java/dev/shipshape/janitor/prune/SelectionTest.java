package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.RULES;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static dev.shipshape.janitor.prune.TestSessions.session;
import static dev.shipshape.janitor.prune.TestSessions.times;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.Plan.Stop;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SelectionTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void theOldestGoFirstAndTheRestNextTime() {
    var plan = plan(limits(0, 2, null), old(3), old(1), old(4), old(2));
    assertThat(plan.entries())
        .extracting(entry -> entry.session().name())
        .containsExactly(batcher(4), batcher(3));
    assertThat(plan.eligible()).isEqualTo(4);
  }

  @Test
  void theNewestCompleteOnesAreKept() {
    var plan = plan(limits(2, 100, null), old(3), old(1), old(4), old(2));
    assertThat(plan.entries())
        .extracting(entry -> entry.session().name())
        .containsExactly(batcher(4), batcher(3));
    assertThat(plan.eligible()).isEqualTo(2);
    assertThat(plan.census().kept()).containsEntry(Verdict.Reason.NEWEST, 2);
  }

  @Test
  void moreThanTheShareOfAllSessionsStopsTheWholeRun() {
    var young = complete(9, Duration.ofDays(1));
    assertThat(plan(limits(0, 1, 50), old(1), young).stop()).isEmpty();
    var stopped = plan(limits(0, 1, 50), old(1), old(2), young);
    assertThat(stopped.stop()).contains(new Stop.TooMany(2, 3, 50));
    assertThat(stopped.entries()).isEmpty();
  }

  @Test
  void clocksMoreThanTheToleranceApartStopTheWholeRun() {
    assertThat(planAt(NOW.plus(MINUTE), limits(0, 9, null), old(1)).stop()).isEmpty();
    assertThat(planAt(NOW.minus(MINUTE), limits(0, 9, null), old(1)).stop()).isEmpty();
    for (var own : List.of(NOW.plus(MINUTE).plusMillis(1), NOW.minus(MINUTE).minusMillis(1))) {
      var plan = planAt(own, limits(0, 9, null), old(1));
      assertThat(plan.stop()).contains(new Stop.ClocksApart(NOW, own));
      assertThat(plan.entries()).isEmpty();
    }
  }

  @Test
  void theCensusCountsEverySessionByStateAndAge() {
    var census =
        plan(
                limits(0, 9, null),
                old(1),
                session("x", "running", times(NOW, NOW, null), null),
                session("y", "", times(null, null, null), null))
            .census();
    assertThat(census.total()).isEqualTo(3);
    assertThat(census.cells())
        .containsEntry(new Census.Cell(Census.State.COMPLETE, Census.Age.OVER_7D), 1)
        .containsEntry(new Census.Cell(Census.State.RUNNING, Census.Age.UNDER_1H), 1)
        .containsEntry(new Census.Cell(Census.State.OTHER, Census.Age.UNKNOWN), 1)
        .hasSize(3);
  }

  static Stream<Integer> seeds() {
    return IntStream.rangeClosed(1, 60).boxed();
  }

  /**
   * 60 sets of 500: the plan is what a plain reading of the rules gives, nothing wrong in it and
   * nothing missed.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void aGeneratedSetIsPlannedAsThePlainReadingSays(int seed) {
    var random = new Random(seed);
    var sessions = IntStream.range(0, 500).mapToObj(i -> generated(i, random)).toList();
    var keepNewest = random.nextInt(3) * 20;
    var most = 1 + random.nextInt(200);

    var plan = plan(limits(keepNewest, most, null), sessions.toArray(Session[]::new));

    var expected = oracle(sessions, keepNewest);
    assertThat(plan.eligible()).isEqualTo(expected.size());
    assertThat(plan.entries())
        .extracting(Plan.Entry::session)
        .containsExactlyElementsOf(expected.subList(0, Math.min(most, expected.size())));
  }

  /** Written from the sentences, not from the code: one list, one filter after another. */
  private static List<Session> oracle(List<Session> sessions, int keepNewest) {
    var oldestFirst =
        Comparator.<Session, Instant>comparing(SelectionTest::since)
            .thenComparing(Session::reference);
    var complete = new ArrayList<Session>();
    for (var s : sessions) {
      var batcher = s.name().startsWith("batcher-") && s.name().length() == 44;
      if (batcher && s.state().equals("complete") && !since(s).isAfter(NOW)) {
        complete.add(s);
      }
    }
    complete.sort(oldestFirst);
    var newest =
        new HashSet<>(complete.subList(Math.max(0, complete.size() - keepNewest), complete.size()));
    complete.removeIf(
        s ->
            newest.contains(s)
                || !s.marks().isEmpty()
                || since(s).isAfter(NOW.minus(Duration.ofDays(7)).minus(unknownEnd(s))));
    return complete;
  }

  /** One that does not say when it ended must be older by the grace. */
  private static Duration unknownEnd(Session session) {
    return session.times().completed() == null ? Duration.ofMinutes(5) : Duration.ZERO;
  }

  private static Instant since(Session session) {
    var times = session.times();
    for (var time : new Instant[] {times.completed(), times.started(), times.created()}) {
      if (time != null) {
        return time;
      }
    }
    return Instant.MAX;
  }

  private static Session generated(int number, Random random) {
    var states = List.of("complete", "complete", "complete", "pending", "running", "", "Complete");
    var names = List.of(batcher(number), batcher(number), "boa-" + number, "batcher-" + number);
    var marked = List.of(Mark.values());
    var marks =
        random.nextInt(5) == 0
            ? new Mark[] {marked.get(random.nextInt(marked.size()))}
            : new Mark[0];
    return session(
        names.get(random.nextInt(names.size())),
        states.get(random.nextInt(states.size())),
        times(time(random), time(random), time(random)),
        null,
        marks);
  }

  /** Sometimes absent, sometimes in the future, often at the very limit. */
  private static @Nullable Instant time(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> null;
      case 1 -> NOW.minus(Duration.ofDays(7)).plusSeconds(random.nextInt(3) - 1);
      case 2 -> NOW.plusSeconds(random.nextInt(3) - 1);
      default -> NOW.minusSeconds(random.nextInt(20 * 24 * 3600));
    };
  }

  private static Session old(int number) {
    return complete(number, Duration.ofDays(10 + number));
  }

  private static Limits limits(int keepNewest, int most, @Nullable Integer percent) {
    return new Limits(keepNewest, most, percent, MINUTE);
  }

  private static Plan plan(Limits limits, Session... sessions) {
    return planAt(NOW, limits, sessions);
  }

  private static Plan planAt(Instant own, Limits limits, Session... sessions) {
    var selection = new Selection(RULES, limits);
    selection.begin(NOW);
    for (var session : sessions) {
      selection.each(session);
    }
    return selection.plan(own);
  }
}
