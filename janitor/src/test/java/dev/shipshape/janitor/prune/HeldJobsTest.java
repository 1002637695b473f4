package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Leaked Jobs that a finalizer holds: accepted is not gone. */
@ExtendWith(ControlPlaneExtension.class)
class HeldJobsTest {
  private static final String JOB = TestJobs.name(1);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final CancellationToken stop = new CancellationToken(() -> true);
  private final List<String> records = new CopyOnWriteArrayList<>();
  @TempDir private Path folder = Path.of("");
  private TestCluster cluster;
  private TestJobs jobs;
  private FaultyApi faulty;
  private KubernetesClient client;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("held"));
    jobs = new TestJobs(cluster);
    faulty = FaultyApi.start(controlPlane);
    client = TestCluster.clientAt(faulty.address());
    cluster.createSession(TestSessions.batcher(9), "running", null);
    jobs.create(JOB, TestSessions.batcher(1), true);
    jobs.hold(JOB);
  }

  @AfterEach
  void close() {
    if (cluster.names(jobs.path()).contains(JOB)) {
      jobs.release(JOB);
    }
    client.close();
    faulty.close();
    cluster.close();
  }

  @Test
  void oneThatStaysIsRecordedAsRemainingOnceAndAskedForOnce() {
    var pruner = pruner(TestSessions.audit(records));
    for (var run = 0; run < 3; run++) {
      pruner.run(true).awaitAll(SHORT);
    }
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
    assertThat(faulty.requests("DELETE ")).hasSize(1);
    assertThat(TestJobs.removals(records))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.path("result").asText()).isEqualTo("remaining");
              assertThat(record.path("detail").asText()).isEqualTo("finalizers [example.com/held]");
            });
  }

  @Test
  void oneThatSomebodyElseIsDeletingIsLeftToThem() {
    cluster.client().raw(jobs.path(JOB) + "?propagationPolicy=Background", "DELETE", null);
    var other = TestJobs.name(2);
    jobs.create(other, TestSessions.batcher(2), true);
    var pruner = pruner(TestSessions.audit(records));
    TestCluster.eventually(
        "the other one is removed",
        () -> {
          pruner.run(true).awaitAll(SHORT);
          return cluster.names(jobs.path()).equals(List.of(JOB));
        });
    assertThat(faulty.requests("DELETE ")).containsExactly("DELETE " + jobs.path(other));
    assertThat(TestJobs.removals(records))
        .extracting(record -> record.path("object").asText())
        .containsExactly("job " + cluster.namespace() + "/" + other);
  }

  /** In the run that deleted its session, whose own wait goes on meanwhile. */
  @Test
  void oneOfTheRunItselfIsWaitedForWithWhatIsLeftOfItsDeadline() {
    cluster.createSession(
        TestSessions.batcher(1),
        "complete",
        "2026-01-01T00:00:00Z",
        session -> ((ObjectNode) session.at("/spec/status/session")).put("job", JOB));
    var run = pruner(TestSessions.audit(records)).run(true);
    var running =
        CompletableFuture.supplyAsync(() -> run.awaitAll(LONG), Thread.ofVirtual()::start);
    TestCluster.eventually("it is marked", () -> jobs.isLeaving(JOB));
    assertThat(running).isNotDone();
    jobs.release(JOB);
    assertThat(running.join().count(Status.GONE)).isEqualTo(1);
  }

  @Test
  void oneWhoseRecordWasNotWrittenIsRecordedAtTheNextRunWithWhatHoldsIt() throws IOException {
    var file = folder.resolve("records");
    var job = cluster.get(jobs.path(JOB)).at("/metadata/uid").asText();
    var leaked =
        new LeakedJob(cluster.namespace(), JOB, job, TestSessions.batcher(1), Duration.ZERO);
    try (var audit = TestSessions.audit(file, _ -> {})) {
      audit.unfinished();
      audit.begin(new PendingDeletion("run-1", Clock.systemUTC().instant(), leaked));
    }
    cluster.client().raw(jobs.path(JOB) + "?propagationPolicy=Background", "DELETE", null);
    for (var life = 0; life < 2; life++) {
      try (var audit = TestSessions.audit(file, records::add)) {
        pruner(audit).run(true).awaitAll(SHORT);
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
    assertThat(records)
        .singleElement()
        .asString()
        .contains("leaked-job-removal", "\"remaining\"", "finalizers [example.com/held]");
  }

  private Pruner pruner(AuditLog audit) {
    return TestSessions.pruner(
        new CustomResourceStore(client, cluster.namespace()),
        client,
        cluster.namespace(),
        TestSessions.POLICY,
        new LeakedJobPolicy(true, Duration.ZERO),
        audit,
        stop);
  }
}
