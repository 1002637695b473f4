package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
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
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Jobs are removed in the operator's stead, and what can go wrong with that. */
@ExtendWith(ControlPlaneExtension.class)
class LeakedJobsTest {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String SESSION = TestSessions.batcher(1);
  private static final String JOB = TestJobs.name(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration SHORT = Duration.ofSeconds(6);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final StopSignal stop = new StopSignal(() -> true);
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();
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
    assertThat(prune(SECOND, SHORT).count(Outcome.Remaining.class)).isEqualTo(1);
    assertThat(cluster.names(jobs.path())).hasSize(4);
    assertThat(faulty.requests("DELETE " + jobs.path())).isEmpty();
  }

  @Test
  void anotherOneThatTakesTheNameIsLeft() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    faulty.once(
        request -> request.equals("GET " + jobs.path(JOB)),
        faulty.after(
            () -> {
              delete(JOB);
              jobs.create(JOB, SESSION, true);
            }));
    assertThat(prune(SECOND, LONG).count(Outcome.Gone.class)).as("by uid").isEqualTo(1);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void oneWhoseSessionIsThereAgainIsLeft() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    faulty.once(
        request -> request.startsWith("GET " + jobs.path() + "?") && request.contains("watch=1"),
        faulty.after(() -> cluster.createSession(SESSION, "running", null)));
    assertThat(prune(SECOND, SHORT).count(Outcome.Remaining.class)).isEqualTo(1);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  /** However short the wait for all that was deleted is. */
  @Test
  void noneIsRemovedBeforeItsTime() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    var pruner = pruner(Duration.ofHours(1));
    for (var run = 0; run < 2; run++) {
      var report = pruner.run(true, new Wait(false, Duration.ofSeconds(2)));
      assertThat(report.count(Outcome.Remaining.class)).isEqualTo(run == 0 ? 1 : 0);
    }
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void manyAreRemovedByOneListOfSessions() {
    IntStream.rangeClosed(1, 6).forEach(this::createSession);
    IntStream.rangeClosed(1, 6)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    assertThat(prune(SECOND, LONG).count(Outcome.Gone.class)).isEqualTo(6);
    assertThat(cluster.names(jobs.path())).isEmpty();
    var requests = faulty.requests("");
    var waits =
        requests.indexOf(
            requests.stream()
                .filter(r -> r.startsWith("GET " + jobs.path() + "?") && r.contains("watch=1"))
                .findFirst()
                .orElseThrow());
    assertThat(requests.subList(waits, requests.size()))
        .filteredOn(request -> request.startsWith("GET " + cluster.sessions()))
        .hasSize(1);
  }

  @Test
  void oneThatCannotBeReadOrIsRefusedLeavesTheOthers() {
    IntStream.rangeClosed(1, 3).forEach(this::createSession);
    IntStream.rangeClosed(1, 3)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    faulty.always(
        request -> request.equals("GET " + jobs.path(TestJobs.name(1))), FaultyApi.refuse(500));
    faulty.always(
        request -> request.equals("DELETE " + jobs.path(TestJobs.name(2))), FaultyApi.refuse(403));
    prune(SECOND, Duration.ofSeconds(10));
    assertThat(cluster.names(jobs.path())).containsExactly(TestJobs.name(1), TestJobs.name(2));
    assertThat(removals())
        .extracting(record -> record.path("result").asText() + record.path("detail").asText())
        .containsExactlyInAnyOrder("removed", "failedanswered 403: a fault");
    assertThat(removals())
        .allMatch(record -> record.path("ageSeconds").asLong() > 0)
        .allMatch(record -> record.has("seconds") && record.has("run"));
  }

  @Test
  void oneThatChangesIsJudgedAfreshByEveryGuard() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    var mine = "{\"metadata\": {\"labels\": {\"app.kubernetes.io/name\": \"mine\"}}}";
    faulty.once(this::isRemoval, faulty.after(() -> cluster.patch(jobs.path(JOB), mine)));
    assertThat(prune(SECOND, SHORT).count(Outcome.Remaining.class)).isEqualTo(1);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
    assertThat(removals())
        .singleElement()
        .satisfies(
            record -> assertThat(record.path("detail").asText()).startsWith("left: it lacks"));
  }

  @Test
  void aWishForFewerRequestsIsObeyedAndALostAnswerLookedAfter() {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    faulty.once(this::isRemoval, FaultyApi.refuse(429, "Retry-After", "2"));
    faulty.once(this::isRemoval, faulty.carryOutAndThen(FaultyApi.hangUp()));
    var begin = System.nanoTime();
    assertThat(prune(SECOND, LONG).count(Outcome.Gone.class)).isEqualTo(1);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(3));
    assertThat(cluster.names(jobs.path())).isEmpty();
    assertThat(faulty.requests("DELETE " + jobs.path())).hasSize(2);
    assertThat(removals())
        .singleElement()
        .satisfies(record -> assertThat(record.path("result").asText()).isEqualTo("removed"));
  }

  @Test
  void noneIsTriedBeyondTheDeadline() {
    IntStream.rangeClosed(1, 2).forEach(this::createSession);
    IntStream.rangeClosed(1, 2)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    faulty.always(this::isRemoval, FaultyApi.refuse(429, "Retry-After", "3"));
    var begin = System.nanoTime();
    assertThat(prune(SECOND, SHORT).count(Outcome.Remaining.class)).isEqualTo(2);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    assertThat(removals()).hasSize(1);
  }

  @Test
  void beingToldToStopEndsItBetweenTwo() {
    IntStream.rangeClosed(1, 2).forEach(this::createSession);
    IntStream.rangeClosed(1, 2)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    faulty.once(this::isRemoval, faulty.after(stop::stop));
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
    pruner.run(true, new Wait(true, LONG));
    assertThat(cluster.names(cluster.sessions())).doesNotContain(SESSION);
    assertThat(pruner.run(true, new Wait(false, LONG)).deletions()).isEmpty();
    assertThat(faulty.requests("DELETE " + jobs.path())).as("seen once").isEmpty();

    TestCluster.eventually(
        "it is removed",
        () -> {
          pruner.run(true, new Wait(false, LONG));
          return !cluster.names(jobs.path()).contains(JOB);
        });
    assertThat(cluster.names(jobs.path()))
        .as("one lives, one runs, one is named by a living session")
        .containsExactly(TestJobs.name(2), TestJobs.name(3), TestJobs.name(4));
    assertThat(removals()).hasSize(1);
  }

  @Test
  void noneCountsAsLeakedWhereNotOneSessionIsListed() {
    jobs.create(JOB, SESSION, true);
    var pruner = pruner(Duration.ZERO);
    pruner.run(true, new Wait(false, LONG));
    pruner.run(true, new Wait(false, LONG));
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);

    cluster.createSession(TestSessions.batcher(2), "running", null);
    TestCluster.eventually(
        "it is removed",
        () -> {
          pruner.run(true, new Wait(false, LONG));
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
          pruner.run(true, new Wait(false, LONG));
          return !removals().isEmpty();
        });
    assertThat(removals()).hasSize(2);
    pruner.run(true, new Wait(false, LONG));
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
          pruner.run(true, new Wait(false, LONG));
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
          pruner.run(true, new Wait(false, Duration.ZERO));
          return cluster.names(jobs.path()).isEmpty();
        });
  }

  @ParameterizedTest
  @CsvSource({
    "false, true, (prune.armed)",
    "true, false, (prune.leakedJobs.armed)",
    "false, false, '(prune.armed, prune.leakedJobs.armed)'"
  })
  void whereEitherSwitchIsOffTheyAreOnlyReported(
      boolean armed, boolean leakedJobsArmed, String why) {
    cluster.createSession(TestSessions.batcher(2), "running", null);
    jobs.create(JOB, SESSION, true);
    jobs.create(TestJobs.name(3), TestSessions.batcher(3), false);
    var pruner = pruner(new LeakedJobPolicy(leakedJobsArmed, SECOND));
    assertThat(logged(() -> pruner.run(armed, new Wait(false, LONG))))
        .as("seen once")
        .doesNotContain(JOB);
    TestCluster.eventually(
        "it would be removed",
        () ->
            logged(() -> pruner.run(armed, new Wait(false, LONG)))
                .contains("would remove job %s uid ".formatted(JOB)));
    assertThat(logged(() -> pruner.run(armed, new Wait(false, LONG))))
        .contains("leaked by session %s; not armed %s".formatted(SESSION, why))
        .contains("job %s: leaked, but left: it has not finished".formatted(TestJobs.name(3)))
        .doesNotContain("would remove job " + TestJobs.name(3));
    assertThat(faulty.requests("DELETE ")).isEmpty();
    assertThat(removals()).isEmpty();
  }

  @Test
  void noMoreAreReportedThanWouldGo() {
    cluster.createSession(TestSessions.batcher(9), "running", null);
    IntStream.rangeClosed(1, 3)
        .forEach(i -> jobs.create(TestJobs.name(i), TestSessions.batcher(i), true));
    var pruner = pruner(new LeakedJobPolicy(false, Duration.ZERO), 2, (_, _) -> {});
    TestCluster.eventually(
        "some are reported",
        () -> {
          var lines = logged(() -> pruner.run(true, new Wait(false, LONG)));
          return lines.lines().filter(line -> line.contains("would remove job")).count() == 2;
        });
  }

  /** An older Role lets the janitor list Jobs and no more, or not even that. */
  @ParameterizedTest
  @ValueSource(strings = {"/jobs?labelSelector=", "/jobs/"})
  void whereJobsCannotBeReadItIsSaidOnceAndTheSessionsGo(String refused) {
    cluster.createSession(TestSessions.batcher(9), "running", null);
    jobs.create(JOB, SESSION, true);
    faulty.always(
        request -> request.startsWith("GET ") && request.contains(refused), FaultyApi.refuse(403));
    var pruner = pruner(new LeakedJobPolicy(false, Duration.ZERO));
    var said = "could not look for leaked ones";
    TestCluster.eventually(
        "it is said", () -> logged(() -> pruner.run(true, new Wait(false, LONG))).contains(said));
    cluster.createSession(TestSessions.batcher(2), "complete", "2026-01-01T00:00:00Z");
    var again = logged(() -> pruner.run(true, new Wait(false, LONG)));
    assertThat(again).doesNotContain(said);
    assertThat(cluster.names(cluster.sessions())).containsExactly(TestSessions.batcher(9));
  }

  @Test
  void aRemovalWhoseRecordWasNotWrittenIsRecordedAtTheNextRun() throws IOException {
    createSession(1);
    jobs.create(JOB, SESSION, true);
    var file = folder.resolve("records");
    var lines = new LineJournal(new PrintStream(records, true, UTF_8), CLOCK);
    try (var journal = new FileJournal(file, 100_000, 2, lines, CLOCK)) {
      var killed =
          new Journal() {
            @Override
            public void record(String run, Deletion deletion) {}

            @Override
            public void begin(Intent intent) {
              if (intent instanceof Intent.OfJob) {
                journal.begin(intent);
              }
            }
          };
      pruner(SECOND, killed).run(true, new Wait(false, LONG));
    }
    assertThat(cluster.names(jobs.path())).isEmpty();
    assertThat(file).doesNotExist();
    for (var life = 0; life < 2; life++) {
      try (var journal = new FileJournal(file, 100_000, 2, lines, CLOCK)) {
        pruner(SECOND, journal).run(true, new Wait(false, LONG));
      }
    }
    assertThat(Files.readAllLines(file))
        .singleElement()
        .asString()
        .contains("leaked-job-removal", "job " + cluster.namespace() + "/" + JOB, "killed");
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
    return pruner(after).run(true, new Wait(false, deadline));
  }

  private Pruner pruner(Duration after) {
    return pruner(after, 2000);
  }

  private Pruner pruner(Duration after, int maxPerRun) {
    var out = new PrintStream(records, true, UTF_8);
    return pruner(after, maxPerRun, new LineJournal(out, CLOCK));
  }

  private Pruner pruner(Duration after, Journal journal) {
    return pruner(after, 2000, journal);
  }

  private Pruner pruner(Duration after, int maxPerRun, Journal journal) {
    return pruner(new LeakedJobPolicy(true, after), maxPerRun, journal);
  }

  private Pruner pruner(LeakedJobPolicy policy) {
    return pruner(policy, 2000, new LineJournal(new PrintStream(records, true, UTF_8), CLOCK));
  }

  private Pruner pruner(LeakedJobPolicy policy, int maxPerRun, Journal journal) {
    var api = new KubernetesApi(client);
    return Pruner.of(
        new CustomResourceSessions(api, cluster.namespace(), stop),
        api,
        cluster.namespace(),
        policy,
        TestSessions.RULES,
        new Limits(0, maxPerRun, null, Duration.ofHours(1)),
        new Pace(4, 1000),
        journal,
        stop,
        CLOCK);
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

  private List<JsonNode> removals() {
    return records
        .toString(UTF_8)
        .lines()
        .map(TestCluster::json)
        .filter(record -> record.path("event").asText().equals("leaked-job-removal"))
        .toList();
  }
}
