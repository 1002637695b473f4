package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.NOW;
import static dev.shipshape.janitor.prune.TestSessions.ONE_WORKER;
import static dev.shipshape.janitor.prune.TestSessions.POLICY;
import static dev.shipshape.janitor.prune.TestSessions.WAIT;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static dev.shipshape.janitor.prune.TestSessions.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PrunerTest {
  private static final Session OLD = complete(1, Duration.ofDays(30));

  private final List<String> records = new ArrayList<>();

  @Test
  void reportAndDeedAreMadeFromTheSamePlan() {
    var sessions =
        new FakeStore(NOW, OLD, complete(2, Duration.ofDays(8)), complete(3, Duration.ofDays(6)));
    var reported = pruner(sessions).run(false);
    assertThat(reported.ending()).isEqualTo(Ending.REPORTED);
    assertThat(reported.deletions()).hasSize(2);
    assertThat(sessions.asked).isEmpty();
    assertThat(records).isEmpty();

    var done = TestSessions.run(pruner(sessions), WAIT);
    assertThat(done.ending()).isEqualTo(Ending.DONE);
    assertThat(done.deletions())
        .extracting(Deletion::session)
        .containsExactlyInAnyOrderElementsOf(
            reported.deletions().stream().map(Deletion::session).toList());
    assertThat(sessions.stored.keySet()).containsExactly(batcher(3));
    assertThat(records).hasSize(2).allMatch(d -> d.contains("\"gone\""));
  }

  @Test
  void oneThatIsRefusedDoesNotEndTheRun() {
    var sessions = new FakeStore(NOW, OLD, complete(2, Duration.ofDays(8)));
    sessions.answers.add(() -> fail(403));
    var report = TestSessions.run(pruner(sessions), WAIT);
    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(TestSessions.count(report, Status.FAILED)).isEqualTo(1);
    assertThat(TestSessions.count(report, Status.GONE)).isEqualTo(1);
  }

  /** Something may write all of them again and again. */
  @Test
  void aRunWhoseSessionsHaveAllChangedIsNotGood() {
    var sessions = new FakeStore(NOW, OLD, complete(2, Duration.ofDays(8)));
    sessions.answers.add(() -> new DeleteResult(Status.CHANGED));
    sessions.answers.add(() -> new DeleteResult(Status.CHANGED));
    assertThat(TestSessions.run(pruner(sessions), WAIT).isGood()).isFalse();

    sessions.answers.add(() -> new DeleteResult(Status.CHANGED));
    assertThat(TestSessions.run(pruner(sessions), WAIT).isGood()).isTrue();
  }

  @Test
  void oneThatBreaksOffLosesNoRecordOfTheOthers() {
    var sessions = new FakeStore(NOW, OLD, complete(2, Duration.ofDays(8)));
    sessions.answers.add(
        () -> {
          throw new IllegalStateException("a bug");
        });
    var report = TestSessions.run(pruner(sessions), WAIT);
    assertThat(report.isGood()).isFalse();
    assertThat(records).hasSize(2);
    assertThat(records.getFirst()).contains("\"unknown\"", "a bug");
    assertThat(records.getLast()).contains("\"gone\"");
  }

  @Test
  void whoNoLongerLeadsDeletesNothingMore() {
    var sessions = new FakeStore(NOW, OLD, complete(2, Duration.ofDays(8)));
    var left = new AtomicInteger(5);
    var report = TestSessions.run(pruner(sessions, () -> left.getAndDecrement() > 0), WAIT);
    assertThat(report.ending()).isEqualTo(Ending.INTERRUPTED);
    assertThat(TestSessions.count(report, Status.NOT_TRIED)).isEqualTo(1);
    assertThat(sessions.stored).hasSize(1);
    assertThat(records).as("a record for each, even so").hasSize(2);
  }

  private static DeleteResult fail(int code) {
    throw new KubernetesClientException("a fault", code, null);
  }

  private Pruner pruner(FakeStore sessions) {
    return pruner(sessions, () -> true);
  }

  private Pruner pruner(FakeStore sessions, BooleanSupplier leads) {
    return TestSessions.pruner(
        sessions, POLICY, ONE_WORKER, TestSessions.audit(records), leads, InstantSource.fixed(NOW));
  }
}
