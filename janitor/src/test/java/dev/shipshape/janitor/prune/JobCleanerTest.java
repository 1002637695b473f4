package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Jobs are removed in the operator's stead, and what can go wrong with that. */
@ExtendWith(ControlPlaneExtension.class)
class JobCleanerTest {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String SESSION = TestSessions.batcher(1);
  private static final String JOB = TestJobs.name(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration SHORT = Duration.ofSeconds(6);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CancellationToken stop = new CancellationToken(() -> true);
  private final List<String> records = new CopyOnWriteArrayList<>();
  @TempDir private Path folder = Path.of("");
  private TestCluster cluster;
  private TestJobs jobs;
  private FaultyApi faulty;
  private KubernetesClient client;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("leaked"));
    jobs = new TestJobs(cluster);
    faulty = FaultyApi.start(controlPlane);
    client = TestCluster.clientAt(faulty.address());
  }

  @AfterEach
  void close() {
    client.close();
    faulty.close();
    cluster.close();
  }

  @Test
  void oneThatLacksAnyMarkOfTheOperatorsIsLeft() {
    createSession(1);
    var operator = "app.kubernetes.io/name";
    jobs.create("cfs-mine", Map.of(operator, "cray-cfs-aee", "cfsession", SESSION), true);
    jobs.create(TestJobs.name(2), Map.of("cfsession", SESSION), true);
    jobs.create(TestJobs.name(3), Map.of(operator, "another", "cfsession", SESSION), true);
    jobs.create(JOB, Map.of(operator, "cray-cfs-aee"), true);
    assertThat(prune(SECOND, SHORT).count(Status.REMAINING)).isEqualTo(1);
    assertThat(cluster.names(jobs.path())).hasSize(4);
    assertThat(faulty.requests("DELETE " + jobs.path())).isEmpty();
  }

  @Test
  void anotherOneThatTakesTheNameIsLeft() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    faulty.once(
        this::isRemoval,
        faulty.after(
            () -> {
              delete(JOB);
              jobs.create(JOB, SESSION, true);
            }));
    assertThat(prune(SECOND, LONG).count(Status.GONE)).as("by uid").isEqualTo(1);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void oneWhoseSessionIsThereAgainIsLeft() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    faulty.once(
        request ->
            request.startsWith("GET " + jobs.path() + "?") && !faulty.requests("DELETE ").isEmpty(),
        faulty.after(() -> cluster.createSession(SESSION, "running", null)));
    assertThat(prune(SECOND, SHORT).count(Status.REMAINING)).isEqualTo(1);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  /** However short the wait for all that was deleted is. */
  @Test
  void noneIsRemovedBeforeItsTime() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    var pruner = pruner(Duration.ofHours(1));
    for (var run = 0; run < 2; run++) {
      var report = pruner.run(true).awaitAll(Duration.ofSeconds(2));
      assertThat(report.count(Status.REMAINING)).isEqualTo(run == 0 ? 1 : 0);
    }
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void oneThatFailsOrIsRefusedLeavesTheOthers() {
    IntStream.rangeClosed(1, 3).forEach(this::createSession);
    IntStream.rangeClosed(1, 3)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    faulty.always(
        request -> request.equals("DELETE " + jobs.path(TestJobs.name(1))), FaultyApi.refuse(500));
    faulty.always(
        request -> request.equals("DELETE " + jobs.path(TestJobs.name(2))), FaultyApi.refuse(403));
    prune(SECOND, Duration.ofSeconds(10));
    assertThat(cluster.names(jobs.path())).containsExactly(TestJobs.name(1), TestJobs.name(2));
    assertThat(TestJobs.removals(records))
        .extracting(record -> record.path("result").asText() + record.path("detail").asText())
        .containsExactlyInAnyOrder("gone", "failed403: a fault", "failed500: a fault");
    assertThat(TestJobs.removals(records))
        .allMatch(record -> record.path("ageSeconds").asLong() > 0)
        .allMatch(record -> record.has("seconds") && record.has("run"));
  }

  @Test
  void oneThatChangesIsLeftForTheNextRunToJudge() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    var mine = "{\"metadata\": {\"labels\": {\"app.kubernetes.io/name\": \"mine\"}}}";
    faulty.once(this::isRemoval, faulty.after(() -> cluster.patch(jobs.path(JOB), mine)));
    assertThat(prune(SECOND, SHORT).count(Status.REMAINING)).isEqualTo(1);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
    assertThat(TestJobs.removals(records))
        .singleElement()
        .satisfies(record -> assertThat(record.path("detail").asText()).startsWith("it changed"));
  }

  @Test
  void aWishForFewerRequestsIsObeyedAndALostAnswerLookedAfter() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    faulty.once(this::isRemoval, FaultyApi.refuse(429, "Retry-After", "2"));
    faulty.once(this::isRemoval, faulty.carryOutAndThen(FaultyApi.hangUp()));
    var begin = System.nanoTime();
    assertThat(prune(SECOND, LONG).count(Status.GONE)).isEqualTo(1);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(3));
    assertThat(cluster.names(jobs.path())).isEmpty();
    assertThat(TestJobs.removals(records))
        .singleElement()
        .satisfies(record -> assertThat(record.path("result").asText()).isEqualTo("gone"));
  }

  @Test
  void beingToldToStopEndsItBetweenTwo() {
    IntStream.rangeClosed(1, 2).forEach(this::createSession);
    IntStream.rangeClosed(1, 2)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    faulty.once(this::isRemoval, faulty.after(stop::cancel));
    prune(SECOND, LONG);
    assertThat(cluster.names(jobs.path())).hasSize(1);
  }

  /** Before a restart nobody waits for Jobs; and users delete sessions, too. */
  @Test
  void oneThatWasLeftBehindEarlierIsRemovedOnceItHasBeenSeenSoForLongEnough() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    cluster.createSession(TestSessions.batcher(2), "running", null);
    jobs.create(TestJobs.name(2), TestSessions.batcher(2), true);
    jobs.create(TestJobs.name(3), TestSessions.batcher(3), false);
    cluster.createSession(
        "boa-1",
        "running",
        null,
        session -> ((ObjectNode) session.at("/spec/status/session")).put("job", TestJobs.name(4)));
    jobs.create(TestJobs.name(4), TestSessions.batcher(4), true);
    var pruner = pruner(SECOND);
    pruner.run(true).awaitSessions(LONG);
    assertThat(cluster.names(cluster.sessions())).doesNotContain(SESSION);
    assertThat(pruner.run(true).awaitAll(LONG).deletions()).isEmpty();
    assertThat(faulty.requests("DELETE " + jobs.path())).as("seen once").isEmpty();

    TestCluster.eventually(
        "it is removed",
        () -> {
          pruner.run(true).awaitAll(LONG);
          return !cluster.names(jobs.path()).contains(JOB);
        });
    assertThat(cluster.names(jobs.path()))
        .as("one lives, one runs, one is named by a living session")
        .containsExactly(TestJobs.name(2), TestJobs.name(3), TestJobs.name(4));
    assertThat(TestJobs.removals(records)).hasSize(1);
  }

  @Test
  void noneCountsAsLeakedWhereNotOneSessionIsListed() {
    jobs.create(JOB, SESSION, true);
    var pruner = pruner(Duration.ZERO);
    pruner.run(true).awaitAll(LONG);
    pruner.run(true).awaitAll(LONG);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);

    cluster.createSession(TestSessions.batcher(2), "running", null);
    TestCluster.eventually(
        "it is removed",
        () -> {
          pruner.run(true).awaitAll(LONG);
          return cluster.names(jobs.path()).isEmpty();
        });
  }

  @Test
  void noMoreAreRemovedByARunThanSessions() {
    cluster.createSession(TestSessions.batcher(9), "running", null);
    IntStream.rangeClosed(1, 3)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    var pruner = pruner(Duration.ZERO, 2);
    TestCluster.eventually(
        "some are removed",
        () -> {
          pruner.run(true).awaitAll(LONG);
          return !TestJobs.removals(records).isEmpty();
        });
    assertThat(TestJobs.removals(records)).hasSize(2);
    pruner.run(true).awaitAll(LONG);
    assertThat(cluster.names(jobs.path())).isEmpty();
  }

  @Test
  void oneThatMayNotGoDoesNotTakeTheTurnOfOneThatMay() {
    cluster.createSession(TestSessions.batcher(9), "running", null);
    jobs.create(TestJobs.name(1), TestSessions.batcher(1), false);
    jobs.create(TestJobs.name(2), TestSessions.batcher(2), true);
    var pruner = pruner(Duration.ZERO, 1);
    TestCluster.eventually(
        "the one that has finished is removed",
        () -> {
          pruner.run(true).awaitAll(LONG);
          return cluster.names(jobs.path()).equals(List.of(TestJobs.name(1)));
        });
  }

  @Test
  void oneThatWasLeftBehindIsRemovedHoweverShortARunWaitsForItsOwn() {
    cluster.createSession(TestSessions.batcher(9), "running", null);
    jobs.create(JOB, SESSION, true);
    var pruner = pruner(Duration.ZERO);
    TestCluster.eventually(
        "it is removed",
        () -> {
          pruner.run(true).awaitAll(Duration.ZERO);
          return cluster.names(jobs.path()).isEmpty();
        });
  }

  @ParameterizedTest
  @CsvSource({"false, true", "true, false", "false, false"})
  void whereEitherSwitchIsOffTheyAreOnlyReported(boolean armed, boolean leakedJobsArmed) {
    cluster.createSession(TestSessions.batcher(2), "running", null);
    jobs.create(JOB, SESSION, true);
    jobs.create(TestJobs.name(3), TestSessions.batcher(3), false);
    var pruner = pruner(new LeakedJobPolicy(leakedJobsArmed, SECOND), 2000);
    var said = "would remove 1 Jobs";
    assertThat(logged(() -> pruner.run(armed).awaitAll(LONG))).as("seen once").doesNotContain(said);
    TestCluster.eventually(
        "it would be removed", () -> logged(() -> pruner.run(armed).awaitAll(LONG)).contains(said));
    assertThat(faulty.requests("DELETE ")).isEmpty();
    assertThat(TestJobs.removals(records)).isEmpty();
  }

  /** An older Role does not let the janitor look for them. */
  @Test
  void whereJobsCannotBeReadAndAreNotToGoNothingIsSaidAndTheSessionsGo() {
    cluster.createSession(TestSessions.batcher(9), "running", null);
    jobs.create(JOB, SESSION, true);
    faulty.always(
        request -> request.startsWith("GET ") && request.contains("/jobs?labelSelector="),
        FaultyApi.refuse(403));
    var pruner = pruner(new LeakedJobPolicy(false, Duration.ZERO), 2000);
    cluster.createSession(TestSessions.batcher(2), "complete", "2026-01-01T00:00:00Z");
    assertThat(logged(() -> pruner.run(true).awaitAll(LONG))).doesNotContain("ERROR");
    assertThat(cluster.names(cluster.sessions())).containsExactly(TestSessions.batcher(9));
  }

  @Test
  void aRemovalWhoseRecordWasNotWrittenIsRecordedAtTheNextRun() throws IOException {
    jobs.create(JOB, SESSION, true);
    var file = folder.resolve("records");
    var uid = cluster.get(jobs.path(JOB)).at("/metadata/uid").asText();
    try (var audit = TestSessions.audit(file, _ -> {})) {
      audit.unfinished();
      var leaked = new LeakedJob(cluster.namespace(), JOB, uid, SESSION, SECOND);
      audit.begin(new PendingDeletion("run-1", CLOCK.instant(), leaked));
    }
    delete(JOB);
    for (var life = 0; life < 2; life++) {
      try (var audit = TestSessions.audit(file, records::add)) {
        pruner(new LeakedJobPolicy(true, SECOND), 2000, audit).run(true);
      }
    }
    assertThat(Files.readAllLines(file)).as("its beginning and its end").hasSize(2);
    assertThat(records)
        .singleElement()
        .asString()
        .contains("leaked-job-removal", "job " + cluster.namespace() + "/" + JOB, "run-1");
  }

  private boolean isRemoval(String request) {
    return request.startsWith("DELETE " + jobs.path());
  }

  /** With the name of its Job in it, as the operator writes it. */
  private void createSession(int number) {
    cluster.createSession(
        TestSessions.batcher(number),
        "complete",
        "2026-01-01T00:00:00Z",
        session ->
            ((ObjectNode) session.at("/spec/status/session")).put("job", TestJobs.name(number)));
  }

  private void delete(String job) {
    cluster.delete(jobs.path(job), cluster.get(jobs.path(job)).at("/metadata/uid").asText());
  }

  private PruneReport prune(Duration after, Duration deadline) {
    return pruner(after).run(true).awaitAll(deadline);
  }

  private Pruner pruner(Duration after) {
    return pruner(after, 2000);
  }

  private Pruner pruner(Duration after, int maxPerRun) {
    return pruner(new LeakedJobPolicy(true, after), maxPerRun);
  }

  private Pruner pruner(LeakedJobPolicy leaked, int maxPerRun) {
    return pruner(leaked, maxPerRun, TestSessions.audit(records));
  }

  private Pruner pruner(LeakedJobPolicy leaked, int maxPerRun, AuditLog audit) {
    return TestSessions.pruner(
        new CustomResourceStore(client, cluster.namespace()),
        client,
        cluster.namespace(),
        TestSessions.policy(0, maxPerRun, null),
        leaked,
        audit,
        stop);
  }

  /** What is in the log of it. */
  private static String logged(Runnable work) {
    var log = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(UTF_8);
  }
}
