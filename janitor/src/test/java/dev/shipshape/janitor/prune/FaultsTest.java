package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.CustomResourceSessions;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong between the pruner and a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class FaultsTest {
  private static final String AGED = "2026-01-01T00:00:00Z";
  private static final String NAME = batcher(1);

  private final StopSignal stop = new StopSignal(() -> true);
  private final List<Deletion> records = new CopyOnWriteArrayList<>();
  private TestCluster cluster;
  private FaultyApi faulty;
  private KubernetesClient client;
  private KubernetesApi api;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws Exception {
    cluster = new TestCluster(controlPlane, names.namespace("faults"));
    faulty = FaultyApi.start(controlPlane);
    client = TestCluster.clientAt(faulty.address());
    api = new KubernetesApi(client);
    stop.atStop(api::cutStreams);
  }

  @AfterEach
  void close() {
    client.close();
    faulty.close();
    cluster.close();
  }

  @Test
  void aConflictIsReadAgainAndJudgedAfreshByEveryRule() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, faulty.after(() -> setState("running")));
    assertThat(outcome()).isEqualTo(new Outcome.Changed(Verdict.Reason.STATE));
    assertThat(names()).containsExactly(NAME);

    setState("complete");
    var keep = "{\"metadata\": {\"annotations\": {\"shipshape.dev/keep\": \"true\"}}}";
    faulty.once(FaultsTest::isDelete, faulty.after(() -> cluster.patch(path(NAME), keep)));
    assertThat(outcome()).isEqualTo(new Outcome.Changed(Verdict.Reason.KEEP_MARK));
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void aConflictWithoutConsequenceCostsOneMoreRequest() {
    create(NAME);
    var label = "{\"metadata\": {\"labels\": {\"touched\": \"yes\"}}}";
    faulty.once(FaultsTest::isDelete, faulty.after(() -> cluster.patch(path(NAME), label)));
    assertThat(outcome()).isEqualTo(new Outcome.Gone());
    assertThat(faulty.requests("DELETE ")).hasSize(2);
  }

  @Test
  void anotherSessionThatTakesTheNameAtOnceIsNeverTouched() {
    var old = create(NAME);
    faulty.once(
        FaultsTest::isDelete,
        faulty.after(
            () -> {
              cluster.delete(path(NAME), old);
              create(NAME);
            }));
    assertThat(outcome()).isEqualTo(new Outcome.Replaced());
    assertThat(names()).containsExactly(NAME);

    // And again, while it is waited for.
    faulty.once(r -> r.contains("watch=1"), faulty.after(() -> {}));
    faulty.once(
        FaultsTest::isDelete,
        faulty.carryOutAndThen(
            exchange -> {
              create(NAME);
              FaultyApi.refuse(500).answer(exchange);
            }));
    assertThat(outcome()).isEqualTo(new Outcome.Replaced());
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void aDeletionWhoseAnswerIsLostIsSeenToBeDone() {
    for (var harm : List.of(FaultyApi.refuse(500), FaultyApi.hangUp())) {
      create(NAME);
      faulty.once(FaultsTest::isDelete, faulty.carryOutAndThen(harm));
      assertThat(outcome()).isEqualTo(new Outcome.Gone());
      assertThat(names()).isEmpty();
    }
    assertThat(faulty.requests("DELETE ")).as("one each").hasSize(2);
  }

  @Test
  void aDeletionWhoseAnswerAndNextReadingAreLostIsStillOurs() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, faulty.carryOutAndThen(FaultyApi.hangUp()));
    faulty.once(("GET " + path(NAME))::equals, FaultyApi.refuse(500));
    assertThat(outcome()).isEqualTo(new Outcome.Gone());
    assertThat(faulty.requests("DELETE ")).hasSize(2);
  }

  /** It is neither gone nor failed until somebody has looked: one record, and the true one. */
  @Test
  void whatIsUnknownInTheEndIsRecordedByTheRunThatFindsOut(@TempDir Path folder) throws Exception {
    var file = folder.resolve("records");
    create(NAME);
    faulty.once(FaultsTest::isDelete, faulty.carryOutAndThen(FaultyApi.hangUp()));
    faulty.always(request -> request.endsWith(path(NAME)), FaultyApi.refuse(500));
    var told = new CopyOnWriteArrayList<Deletion>();
    try (var journal =
        new FileJournal(file, 10_000, 2, (_, each) -> told.add(each), Clock.systemUTC())) {
      var report = pruner(journal).run(true, wait(60));
      assertThat(report.count(Outcome.Failed.class)).isEqualTo(1);
      assertThat(told).isEmpty();
      faulty.heal();
      pruner(journal).run(true, wait(10));
      pruner(journal).run(true, wait(10));
    }
    assertThat(told).extracting(Deletion::outcome).containsExactly(new Outcome.FoundGone());
    assertThat(Files.readAllLines(file)).singleElement().asString().contains("\"result\":\"gone\"");
  }

  @Test
  void aServerThatFailsIsTriedAgainAndOneThatFailsOnIsGivenUp() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, FaultyApi.refuse(500));
    assertThat(outcome()).isEqualTo(new Outcome.Gone());

    create(NAME);
    for (var i = 0; i < 5; i++) {
      faulty.once(FaultsTest::isDelete, FaultyApi.refuse(503));
    }
    assertThat(outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.message()).contains("503"));
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void aWishForFewerRequestsIsObeyedByAllWorkers() {
    IntStream.rangeClosed(1, 4).forEach(i -> create(batcher(i)));
    faulty.once(FaultsTest::isDelete, FaultyApi.refuse(429, "Retry-After", "2"));
    var begin = System.nanoTime();
    assertThat(run().count(Outcome.Gone.class)).isEqualTo(4);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(2));
    assertThat(faulty.requests("DELETE ")).hasSize(5);
  }

  @Test
  void aServerThatAsksForFewerRequestsAndForNoPauseIsGivenTheUsualOne() {
    create(NAME);
    faulty.always(FaultsTest::isDelete, FaultyApi.refuse(429, "Retry-After", "0"));
    var begin = System.nanoTime();
    assertThat(outcome()).isInstanceOf(Outcome.Failed.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(4));
    assertThat(faulty.requests("DELETE ")).hasSize(5);
  }

  @Test
  void aWishForFewerRequestsIsObeyedWhereItIsReadAgain() {
    create(NAME);
    var label = "{\"metadata\": {\"labels\": {\"touched\": \"yes\"}}}";
    faulty.once(FaultsTest::isDelete, faulty.after(() -> cluster.patch(path(NAME), label)));
    faulty.once(("GET " + path(NAME))::equals, FaultyApi.refuse(429, "Retry-After", "5"));
    var begin = System.nanoTime();
    assertThat(outcome()).isEqualTo(new Outcome.Gone());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(5));
  }

  @Test
  void aWishForFewerRequestsHoldsARestartNoLongerThanItsDeadline() {
    create(NAME);
    faulty.always(FaultsTest::isDelete, FaultyApi.refuse(429, "Retry-After", "60"));
    var begin = System.nanoTime();
    assertThat(outcome(5)).isInstanceOf(Outcome.Failed.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void aListThatIsToWaitIsGoneOnWith() {
    create(NAME);
    faulty.once(r -> r.contains("cfsessions?limit="), FaultyApi.refuse(429, "Retry-After", "1"));
    var begin = System.nanoTime();
    assertThat(outcome()).isEqualTo(new Outcome.Gone());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void aListThatGrewTooOldIsBegunAgain() {
    IntStream.rangeClosed(1, 501).parallel().forEach(i -> create(batcher(i)));
    faulty.once(request -> request.contains("continue="), FaultyApi.refuse(410));
    assertThat(pruner().plan().entries()).as("each once").hasSize(501);
    for (var i = 0; i < 3; i++) {
      faulty.once(request -> request.contains("continue="), FaultyApi.refuse(410));
    }
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> pruner().run(true, wait(10)))
        .matches(failure -> failure.code() == 410);
    assertThat(names()).as("nothing by half of a list").hasSize(501);
  }

  @Test
  void aWatchThatIsTooOldOrBreaksOffIsBegunAgainFromAList() {
    var gone =
        """
        {"type": "ERROR", "object": {"kind": "Status", "code": 410, "reason": "Expired"}}
        """;
    for (var harm : List.of(FaultyApi.say(gone), FaultyApi.refuse(410), FaultyApi.hangUp())) {
      var held = held();
      faulty.once(request -> request.contains("watch=1"), harm);
      var watches = faulty.requests("GET ").stream().filter(r -> r.contains("watch=1")).count();
      var running = CompletableFuture.supplyAsync(this::outcome, Thread.ofVirtual()::start);
      TestCluster.eventually(
          "it watches again",
          () ->
              faulty.requests("GET ").stream().filter(r -> r.contains("watch=1")).count()
                  > watches + 1);
      release(held);
      assertThat(running.join()).isEqualTo(new Outcome.Gone());
    }
  }

  @Test
  void aListThatFailsDuringTheWaitIsTriedAgain() {
    var held = held();
    var again = new CountDownLatch(1);
    for (var code : List.of(503, 410)) {
      faulty.once(this::isWait, FaultyApi.refuse(code));
    }
    faulty.once(this::isWait, faulty.after(again::countDown));
    var running = CompletableFuture.supplyAsync(() -> outcome(60), Thread.ofVirtual()::start);
    TestCluster.eventually("it lists again", () -> again.getCount() == 0);
    release(held);
    assertThat(running.join()).isEqualTo(new Outcome.Gone());
  }

  @Test
  void whatIsKnownIsKeptWhereNothingCanBeListedAnyMore() {
    held();
    var watched = new CountDownLatch(1);
    faulty.once(
        request -> request.contains("watch=1"),
        exchange -> {
          watched.countDown();
          FaultyApi.hangUp().answer(exchange);
        });
    faulty.always(r -> isWait(r) && watched.getCount() == 0, FaultyApi.refuse(500));
    assertThat(outcome(5)).isEqualTo(new Outcome.Remaining("finalizers example.com/held"));
    faulty.heal();
    release(NAME);
  }

  @Test
  void whatCannotBeSeenAtAllIsSaidToRemain() {
    create(NAME);
    faulty.always(this::isWait, FaultyApi.refuse(500));
    assertThat(outcome(5))
        .isInstanceOfSatisfying(
            Outcome.Remaining.class,
            remaining ->
                assertThat(remaining.holding()).matches("could not be watched: .*500: a fault"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachOfThoseThatFinalizersHoldIsRecordedWhenItGoes(boolean withPending) {
    held();
    cluster.createSession(
        batcher(2),
        "complete",
        AGED,
        session -> session.withObject("/metadata").putArray("finalizers").add("example.com/held"));
    var running =
        CompletableFuture.supplyAsync(
            () -> (withPending ? prunerOfPending() : pruner()).run(true, wait(60)),
            Thread.ofVirtual()::start);
    TestCluster.eventually(
        "it watches", () -> faulty.requests("GET ").stream().anyMatch(r -> r.contains("watch=1")));
    assertThat(records).isEmpty();
    release(batcher(2));
    TestCluster.eventually("it is recorded", () -> !records.isEmpty());
    assertThat(running).as("the other one is still there").isNotDone();
    release(NAME);
    running.join();
    assertThat(records).hasSize(2).allMatch(d -> d.outcome() instanceof Outcome.Gone);
  }

  private boolean isWait(String request) {
    return request.contains("cfsessions?limit=") && !faulty.requests("DELETE ").isEmpty();
  }

  @Test
  void whatAFinalizerHoldsIsReportedWithItAndNotDeletedTwice() {
    held();
    assertThat(outcome(5)).isEqualTo(new Outcome.Remaining("finalizers example.com/held"));
    assertThat(run().deletions()).as("it is leaving").isEmpty();
    assertThat(faulty.requests("DELETE ")).hasSize(1);
    release(NAME);
  }

  @Test
  void beingToldToStopEndsAWaitAtOnce() {
    held();
    var running = CompletableFuture.supplyAsync(() -> outcome(600), Thread.ofVirtual()::start);
    TestCluster.eventually(
        "it waits",
        () -> faulty.requests("GET ").stream().anyMatch(request -> request.contains("watch=1")));
    var begin = System.nanoTime();
    stop.stop();
    assertThat(running.join()).isInstanceOf(Outcome.Remaining.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    release(NAME);
  }

  @Test
  void beingToldToStopEndsAListThatHangs() {
    create(NAME);
    for (var harm : List.of(faulty.stall(), faulty.ignore())) {
      faulty.once(request -> request.contains("cfsessions?limit="), harm);
      var asked = faulty.requests("GET ").size();
      var running = CompletableFuture.supplyAsync(() -> pruner().plan(), Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> faulty.requests("GET ").size() > asked);
      TestCluster.eventually(
          "the list is broken off",
          () -> {
            api.cutStreams();
            return running.isDone();
          });
      assertThat(running)
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withCauseInstanceOf(ApiFailure.class);
    }
  }

  /** Between two objects: what had been sent is recorded as gone, the rest as not tried. */
  @Test
  void beingToldToStopEndsARunBetweenTwoObjects() {
    IntStream.rangeClosed(1, 30).forEach(i -> create(batcher(i)));
    faulty.once(FaultsTest::isDelete, faulty.after(() -> {}));
    var stopped = new CountDownLatch(1);
    faulty.once(
        FaultsTest::isDelete,
        faulty.after(
            () -> {
              stop.stop();
              stopped.countDown();
            }));
    // However late that one is: the other workers must not go on meanwhile.
    faulty.always(FaultsTest::isDelete, faulty.heldUntil(stopped));
    var report = run();
    assertThat(report.ending()).isEqualTo(PruneReport.Ending.INTERRUPTED);
    var gone = report.count(Outcome.Gone.class);
    assertThat(names()).hasSize((int) (30 - gone));
    assertThat(gone).isBetween(1L, 10L);
    assertThat(records).hasSize(30);
  }

  private static boolean isDelete(String request) {
    return request.startsWith("DELETE ");
  }

  private Outcome outcome() {
    return outcome(10);
  }

  private Outcome outcome(int seconds) {
    records.clear();
    var report = pruner().run(true, wait(seconds));
    assertThat(report.deletions()).hasSize(1);
    assertThat(records).as("one record").hasSize(1);
    return report.deletions().getFirst().outcome();
  }

  private PruneReport run() {
    return pruner().run(true, wait(10));
  }

  private Pruner pruner() {
    return pruner((_, deletion) -> records.add(deletion));
  }

  private Pruner pruner(Journal journal) {
    return new Pruner(
        new CustomResourceSessions(api, cluster.namespace(), stop),
        Dependents.NONE,
        TestSessions.RULES,
        new Limits(0, 2000, null, Duration.ofHours(1)),
        new Pace(4, 1000),
        journal,
        stop,
        Clock.systemUTC());
  }

  /** As the janitor has it where stuck sessions are pruned too. */
  private Pruner prunerOfPending() {
    return Pruner.of(
        new CustomResourceSessions(api, cluster.namespace(), stop),
        api,
        cluster.namespace(),
        new LeakedJobPolicy(false, Duration.ofHours(1)),
        TestSessions.WITH_PENDING,
        new Limits(0, 2000, null, Duration.ofHours(1)),
        new Pace(4, 1000),
        (_, deletion) -> records.add(deletion),
        stop,
        Clock.systemUTC());
  }

  private static Wait wait(int seconds) {
    return new Wait(true, Duration.ofSeconds(seconds));
  }

  /** One that stays when it is deleted; returns its name. */
  private String held() {
    cluster.createSession(
        NAME,
        "complete",
        AGED,
        session -> session.withObject("/metadata").putArray("finalizers").add("example.com/held"));
    return NAME;
  }

  private void release(String name) {
    cluster.patch(path(name), "{\"metadata\": {\"finalizers\": null}}");
  }

  private String create(String name) {
    return cluster.createSession(name, "complete", AGED).at("/metadata/uid").asText();
  }

  private void setState(String state) {
    cluster.patch(
        path(NAME),
        "{\"spec\": {\"status\": {\"session\": {\"status\": \"%s\"}}}}".formatted(state));
  }

  private List<String> names() {
    return cluster.names(cluster.sessions());
  }

  private String path(String name) {
    return cluster.sessions() + "/" + name;
  }
}
