package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.CustomResourceSessions;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

  private final StopSignal stop = new StopSignal(() -> true);
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();
  private final Journal lines =
      new LineJournal(new PrintStream(records, true, UTF_8), Clock.systemUTC());
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
    cluster.api().find(jobs.path(JOB)).ifPresent(_ -> jobs.release(JOB));
    client.close();
    faulty.close();
    cluster.close();
  }

  @Test
  void oneThatStaysIsRecordedAsRemainingOnceAndAskedForOnce() {
    var pruner = pruner(lines);
    for (var run = 0; run < 3; run++) {
      pruner.run(true, new Wait(false, SHORT));
    }
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
    assertThat(faulty.requests("DELETE ")).hasSize(1);
    assertThat(removals())
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.path("result").asText()).isEqualTo("remaining");
              assertThat(record.path("detail").asText()).isEqualTo("finalizers example.com/held");
            });
  }

  @Test
  void oneThatGoesLaterIsRecordedAsRemovedWhenItIsGone() {
    var running =
        CompletableFuture.supplyAsync(
            () -> pruner(lines).run(true, new Wait(false, LONG)), Thread.ofVirtual()::start);
    TestCluster.eventually("it is marked", () -> jobs.isLeaving(JOB));
    assertThat(running).isNotDone();
    assertThat(removals()).as("it is still there").isEmpty();
    jobs.release(JOB);
    running.join();
    assertThat(removals())
        .singleElement()
        .satisfies(record -> assertThat(record.path("result").asText()).isEqualTo("removed"));
  }

  @Test
  void oneThatSomebodyElseIsDeletingIsLeftToThem() {
    var uid = cluster.get(jobs.path(JOB)).at("/metadata/uid").asText();
    cluster.api().delete(jobs.path(JOB), new DeleteOptions(uid, null)).requireSuccess("DELETE");
    var other = TestJobs.name(2);
    jobs.create(other, TestSessions.batcher(2), true);
    var pruner = pruner(lines);
    TestCluster.eventually(
        "the other one is removed",
        () -> {
          pruner.run(true, new Wait(false, SHORT));
          return cluster.names(jobs.path()).equals(List.of(JOB));
        });
    assertThat(faulty.requests("DELETE ")).containsExactly("DELETE " + jobs.path(other));
    assertThat(removals())
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
    var running =
        CompletableFuture.supplyAsync(
            () -> pruner(lines).run(true, new Wait(false, LONG)), Thread.ofVirtual()::start);
    TestCluster.eventually("it is marked", () -> jobs.isLeaving(JOB));
    assertThat(running).isNotDone();
    jobs.release(JOB);
    assertThat(running.join().count(Outcome.Gone.class)).isEqualTo(1);
    assertThat(removals())
        .singleElement()
        .satisfies(record -> assertThat(record.path("result").asText()).isEqualTo("removed"));
  }

  @Test
  void oneWhoseRecordWasNotWrittenIsRecordedAtTheNextRunWithWhatHoldsIt() throws IOException {
    var file = folder.resolve("records");
    try (var journal = new FileJournal(file, 100_000, 2, lines, Clock.systemUTC())) {
      var killed =
          new Journal() {
            @Override
            public void record(String run, Deletion deletion) {}

            @Override
            public void begin(Intent intent) {
              journal.begin(intent);
            }
          };
      pruner(killed).run(true, new Wait(false, SHORT));
    }
    assertThat(jobs.isLeaving(JOB)).isTrue();
    for (var life = 0; life < 2; life++) {
      try (var journal = new FileJournal(file, 100_000, 2, lines, Clock.systemUTC())) {
        pruner(journal).run(true, new Wait(false, SHORT));
      }
    }
    assertThat(Files.readAllLines(file))
        .singleElement()
        .asString()
        .contains("leaked-job-removal", "\"remaining\"", "finalizers example.com/held");
  }

  private Pruner pruner(Journal journal) {
    var api = new KubernetesApi(client);
    return Pruner.of(
        new CustomResourceSessions(api, cluster.namespace(), stop),
        api,
        cluster.namespace(),
        new LeakedJobPolicy(true, Duration.ZERO),
        TestSessions.RULES,
        new Limits(0, 2000, null, Duration.ofHours(1)),
        new Pace(4, 1000),
        journal,
        stop,
        Clock.systemUTC());
  }

  private List<JsonNode> removals() {
    return records
        .toString(UTF_8)
        .lines()
        .map(TestCluster::json)
        .filter(record -> record.path("event").asText().equals("leaked-job-removal"))
        .toList();
  }
}
