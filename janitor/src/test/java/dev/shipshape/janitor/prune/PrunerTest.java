package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.RULES;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.pace.TokenBucket;
import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.janitor.session.DeleteAnswer;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PrunerTest {
  /** So that the order is certain. */
  private static final Pace ONE_WORKER = new Pace(1, 1000);

  private static final Wait WAIT = new Wait(true, Duration.ofSeconds(10));
  private static final Session OLD = complete(1, Duration.ofDays(30));
  private static final Limits LIMITS = new Limits(0, 2000, null, Duration.ofMinutes(1));

  private final List<Deletion> records = new ArrayList<>();

  @Test
  void reportAndDeedAreMadeFromTheSamePlan() {
    var sessions =
        new FakeSessions(
            NOW, OLD, complete(2, Duration.ofDays(8)), complete(3, Duration.ofDays(6)));
    var reported = pruner(sessions).run(false, WAIT);
    assertThat(reported.ending()).isEqualTo(Ending.REPORTED);
    assertThat(reported.plan().entries()).hasSize(2);
    assertThat(sessions.asked).isEmpty();
    assertThat(records).isEmpty();

    var done = pruner(sessions).run(true, WAIT);
    assertThat(done.ending()).isEqualTo(Ending.DONE);
    assertThat(done.plan().entries()).isEqualTo(reported.plan().entries());
    assertThat(sessions.stored.keySet()).containsExactly(batcher(3));
    assertThat(records).hasSize(2).allMatch(d -> d.outcome() instanceof Outcome.Gone);
  }

  @Test
  void oneThatIsGoneAlreadyIsAsGoodAsDone() {
    assertThat(outcome(answering(new DeleteAnswer.NotFound())))
        .isEqualTo(new Outcome.AlreadyGone());
  }

  @Test
  void anotherSessionOfTheSameNameIsLeftAlone() {
    var sessions = changingTo(changed(OLD, "another-uid", "complete", Set.of()));
    assertThat(outcome(sessions)).isEqualTo(new Outcome.Replaced());
    assertThat(sessions.asked).hasSize(1);
  }

  @Test
  void oneThatChangedIsJudgedAfreshByEveryRule() {
    var running = changingTo(changed(OLD, OLD.uid(), "running", Set.of()));
    assertThat(outcome(running)).isEqualTo(new Outcome.Changed(Verdict.Reason.STATE));

    var kept = changingTo(changed(OLD, OLD.uid(), "complete", Set.of(Mark.KEEP)));
    assertThat(outcome(kept)).isEqualTo(new Outcome.Changed(Verdict.Reason.KEEP_MARK));
  }

  @Test
  void oneThatChangedWithoutConsequenceIsDeletedAsItIsNow() {
    var fresh = changed(OLD, OLD.uid(), "complete", Set.of());
    var sessions = changingTo(fresh);
    assertThat(outcome(sessions)).isEqualTo(new Outcome.Gone());
    assertThat(sessions.asked).containsExactly(OLD, fresh);
  }

  @Test
  void oneThatIsHeldByAFinalizerIsReportedWithIt() {
    assertThat(outcome(answering(new DeleteAnswer.Marked())))
        .isEqualTo(new Outcome.Remaining("finalizers example.com/stuck"));
  }

  /** A process that is killed while it waits for Jobs has the records of the sessions. */
  @Test
  void oneThatIsGoneIsRecordedBeforeItsJobIsWaitedFor() {
    var sessions = new FakeSessions(NOW, OLD, complete(2, Duration.ofDays(8)));
    var dependents =
        new Dependents() {
          private int recorded;

          @Override
          public void note(Collection<Session> noted) {}

          @Override
          public Map<Session, String> awaitGone(
              String run, Collection<Session> gone, Duration deadline) {
            recorded = records.size();
            return Map.of(OLD, "job x: finalizers y");
          }
        };
    var report =
        pruner(sessions, dependents, () -> true).run(true, new Wait(false, Duration.ofSeconds(10)));
    assertThat(dependents.recorded).isEqualTo(2);
    assertThat(records).hasSize(2).allMatch(d -> d.outcome() instanceof Outcome.Gone);
    assertThat(report.deletions())
        .extracting(Deletion::outcome)
        .containsExactlyInAnyOrder(
            new Outcome.Gone(), new Outcome.Remaining("job x: finalizers y"));
  }

  @Test
  void oneThatIsRefusedDoesNotEndTheRun() {
    var sessions = new FakeSessions(NOW, OLD, complete(2, Duration.ofDays(8)));
    sessions.answers.add(() -> new DeleteAnswer.Refused(403, "forbidden", null));
    var report = pruner(sessions).run(true, WAIT);
    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(report.count(Outcome.Failed.class)).isEqualTo(1);
    assertThat(report.count(Outcome.Gone.class)).isEqualTo(1);
  }

  @Test
  void oneThatBreaksOffLosesNoRecordOfTheOthers() {
    var sessions = new FakeSessions(NOW, OLD, complete(2, Duration.ofDays(8)));
    sessions.answers.add(
        () -> {
          throw new IllegalStateException("a bug");
        });
    assertThatThrownBy(() -> pruner(sessions).run(true, WAIT)).hasRootCauseMessage("a bug");
    assertThat(records)
        .singleElement()
        .satisfies(record -> assertThat(record.outcome()).isEqualTo(new Outcome.Gone()));
  }

  @Test
  void theServersWishForFewerRequestsIsObeyed() {
    var sessions = answering(new DeleteAnswer.Throttled(Duration.ofMillis(300)));
    var begin = System.nanoTime();
    assertThat(outcome(sessions)).isEqualTo(new Outcome.Gone());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(290));
  }

  @Test
  void aWishForFewerRequestsIsObeyedWhereTheServerFailsToo() {
    var sessions = answering(new DeleteAnswer.Refused(503, "busy", Duration.ofMillis(1500)));
    var begin = System.nanoTime();
    assertThat(outcome(sessions)).isEqualTo(new Outcome.Gone());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1490));
  }

  /** The server asks for fewer while this one waits for its turn. */
  @Test
  void aWishForFewerRequestsIsObeyedByWhoHadATokenBefore() {
    var bucket = new TokenBucket(1000, System::nanoTime);
    var looks = new AtomicInteger();
    var stop =
        new StopSignal(
            () -> {
              if (looks.incrementAndGet() == 2) {
                bucket.holdBack(Duration.ofMillis(500));
              }
              return true;
            });
    var aged = new AgedSessions(new FakeSessions(NOW, OLD), RULES, NOW, false);
    var begin = System.nanoTime();
    assertThat(new Deleter<>(aged, bucket, stop).delete(OLD, () -> {}))
        .isEqualTo(new Deleter.Step.End<>(new Outcome.Gone()));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(490));
  }

  @Test
  void itIsGivenUpAfterFiveTries() {
    var sessions = new FakeSessions(NOW, OLD);
    for (var i = 0; i < 9; i++) {
      sessions.answers.add(() -> new DeleteAnswer.Throttled(Duration.ZERO));
    }
    assertThat(outcome(sessions)).isInstanceOf(Outcome.Failed.class);
    assertThat(sessions.asked).hasSize(5);
  }

  @Test
  void aServerThatGoesOnSlowlyIsNotGivenUp() {
    var sessions = new FakeSessions(NOW);
    for (var i = 1; i <= 3; i++) {
      var session = complete(i, Duration.ofDays(30));
      sessions.stored.put(session.name(), session);
      sessions.answers.add(() -> new DeleteAnswer.Throttled(Duration.ofMillis(600)));
      sessions.answers.add(
          () -> {
            sessions.stored.remove(session.name());
            return new DeleteAnswer.Gone();
          });
    }
    var report =
        pruner(sessions, Dependents.NONE, new Pace(1, 1000, Duration.ofSeconds(1)), () -> true)
            .run(true, WAIT);
    assertThat(report.count(Outcome.Gone.class)).isEqualTo(3);
  }

  @Test
  void whoNoLongerLeadsDeletesNothingMore() {
    var sessions = new FakeSessions(NOW, OLD, complete(2, Duration.ofDays(8)));
    var left = new AtomicInteger(3);
    var report = pruner(sessions, () -> left.getAndDecrement() > 0).run(true, WAIT);
    assertThat(report.ending()).isEqualTo(Ending.INTERRUPTED);
    assertThat(report.count(Outcome.NotTried.class)).isEqualTo(1);
    assertThat(sessions.stored).hasSize(1);
    assertThat(records).as("a record for each, even so").hasSize(2);
  }

  private Outcome outcome(FakeSessions sessions) {
    var deletions = pruner(sessions).run(true, WAIT).deletions();
    assertThat(deletions).hasSize(1);
    assertThat(records).hasSize(1);
    records.clear();
    return deletions.getFirst().outcome();
  }

  private static FakeSessions answering(DeleteAnswer answer) {
    var sessions = new FakeSessions(NOW, OLD);
    sessions.answers.add(() -> answer);
    return sessions;
  }

  /** It changes after it was listed. */
  private static FakeSessions changingTo(Session fresh) {
    var sessions = new FakeSessions(NOW, OLD);
    sessions.answers.add(
        () -> {
          sessions.stored.put(fresh.name(), fresh);
          return new DeleteAnswer.Conflict();
        });
    return sessions;
  }

  private Pruner pruner(FakeSessions sessions) {
    return pruner(sessions, () -> true);
  }

  private Pruner pruner(FakeSessions sessions, BooleanSupplier leads) {
    return pruner(sessions, Dependents.NONE, leads);
  }

  private Pruner pruner(FakeSessions sessions, Dependents dependents, BooleanSupplier leads) {
    return pruner(sessions, dependents, ONE_WORKER, leads);
  }

  private Pruner pruner(
      FakeSessions sessions, Dependents dependents, Pace pace, BooleanSupplier leads) {
    return new Pruner(
        sessions,
        dependents,
        RULES,
        LIMITS,
        pace,
        (_, deletion) -> records.add(deletion),
        new StopSignal(leads),
        InstantSource.fixed(NOW));
  }

  private static Session changed(
      Session session, @Nullable String uid, String state, Set<Mark> marks) {
    return new Session(
        session.namespace(), session.name(), uid, "2", state, session.times(), null, marks);
  }
}
