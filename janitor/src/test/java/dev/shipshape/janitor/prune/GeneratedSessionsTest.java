package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.SessionList;
import dev.shipshape.janitor.session.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * 10,000 sets of sessions, under rules and limits of any kind: nothing wrong goes, none is missed.
 */
class GeneratedSessionsTest {
  private static final int SETS = 10_000;

  @Test
  void everyPlanIsWhatAPlainReadingOfTheRulesSays() {
    var planned = 0;
    var stopped = 0;
    for (var seed = 0; seed < SETS; seed++) {
      var random = new Random(seed);
      var oracle = new Oracle(policy(random), NOW);
      var sessions =
          IntStream.range(0, 1 + random.nextInt(40)).mapToObj(i -> one(i, random)).toList();
      var plan = plan(oracle, sessions);
      var expected = oracle.eligible(sessions);

      assertThat(plan.stats().eligible()).as("seed %d", seed).isEqualTo(expected.size());
      if (oracle.isTooMuch(expected.size(), sessions.size())) {
        assertThat(plan.blocked()).as("seed %d", seed).isEqualTo(BlockReason.TOO_MANY);
        assertThat(plan.deletions()).as("seed %d", seed).isEmpty();
        stopped++;
      } else {
        assertThat(plan.deletions())
            .as("seed %d", seed)
            .extracting(Deletion::session)
            .containsExactlyElementsOf(
                expected.subList(0, Math.min(oracle.policy().maxPerRun(), expected.size())));
        planned += plan.deletions().size();
      }
    }
    assertThat(planned).as("sets that mean something").isGreaterThan(SETS);
    assertThat(stopped).isGreaterThan(SETS / 100);
  }

  private static RunReport plan(Oracle oracle, List<Session> sessions) {
    var list = new SessionList(new FakeStore(NOW), NOW, sessions.stream());
    return Planner.plan(oracle.policy(), list, InstantSource.fixed(NOW));
  }

  private static Policy policy(Random random) {
    var olderThan = Duration.ofHours(1 + random.nextInt(240));
    return new Policy(
        olderThan,
        olderThan.plusHours(random.nextInt(240)),
        Duration.ofMinutes(1 + random.nextInt(200)),
        random.nextInt(4) == 0,
        random.nextInt(3) * random.nextInt(6),
        1 + random.nextInt(20),
        random.nextInt(3) == 0 ? 1 + random.nextInt(100) : null,
        Duration.ofMinutes(1));
  }

  private static Session one(int number, Random random) {
    var states =
        List.of(
            "complete", "complete", "complete", "complete", "pending", "running", "", "Complete");
    var names =
        List.of(
            batcher(number),
            batcher(number),
            batcher(number),
            batcher(number),
            "boa-" + number,
            batcher(number) + "x",
            "my-" + batcher(number));
    var marked = Mark.values();
    var marks =
        random.nextInt(5) == 0 ? new Mark[] {marked[random.nextInt(marked.length)]} : new Mark[0];
    return session(
        names.get(random.nextInt(names.size())),
        states.get(random.nextInt(states.size())),
        times(random),
        random.nextBoolean() ? null : "cfs-" + number,
        marks);
  }

  /** Most complete after they start. */
  private static Times times(Random random) {
    var started = time(random);
    var completed = time(random);
    var isSwapped =
        started != null
            && completed != null
            && completed.isBefore(started)
            && random.nextInt(4) > 0;
    return new Times(
        time(random),
        isSwapped ? completed : started,
        isSwapped ? started : completed,
        time(random));
  }

  /** Sometimes absent, sometimes in the future, often to the second at a whole number of hours. */
  private static @Nullable Instant time(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> null;
      case 1 -> NOW.minus(Duration.ofHours(random.nextInt(250))).plusSeconds(random.nextInt(3) - 1);
      case 2 -> NOW.plusSeconds(random.nextInt(3) - 1);
      default -> NOW.minusSeconds(random.nextInt(20 * 24 * 3600));
    };
  }
}
