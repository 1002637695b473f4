package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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

/** What can go wrong between the pruner and a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class FaultsTest {
  private static final String AGED = "2026-01-01T00:00:00Z";
  private static final String NAME = batcher(1);

  private final CancellationToken stop = new CancellationToken(() -> true);
  private final List<String> records = new CopyOnWriteArrayList<>();
  private TestCluster cluster;
  private FaultyApi faulty;
  private KubernetesClient client;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws Exception {
    cluster = new TestCluster(controlPlane, names.namespace("faults"));
    faulty = FaultyApi.start(controlPlane);
    client = TestCluster.clientAt(faulty.address());
  }

  @AfterEach
  void close() {
    client.close();
    faulty.close();
    cluster.close();
  }

  /** The client sends it again, and then there is none any more. */
  @Test
  void aDeletionWhoseAnswerIsLostIsSeenToBeDone() {
    for (var harm : List.of(FaultyApi.refuse(500), FaultyApi.hangUp())) {
      create(NAME);
      faulty.once(FaultsTest::isDelete, faulty.executeAndThen(harm));
      assertThat(outcome()).isEqualTo(new DeleteResult(Status.ALREADY_GONE));
      assertThat(names()).isEmpty();
    }
  }

  /** The client sends it again, and our own first request has changed the session. */
  @Test
  void aDeletionWhoseAnswerIsLostAndThatAFinalizerHoldsIsAwaited() {
    for (var harm : List.of(FaultyApi.refuse(500), FaultyApi.hangUp())) {
      held(NAME);
      faulty.once(FaultsTest::isDelete, faulty.executeAndThen(harm));
      assertThat(outcome(1))
          .isEqualTo(new DeleteResult(Status.REMAINING, "finalizers [example.com/held]"));
      release(NAME);
    }
  }

  /** The finalizer goes directly after the request that is sent again. */
  @Test
  void aDeletionWhoseAnswerIsLostAndThatAFinalizerHeldIsSeenToBeDone() {
    held(NAME);
    faulty.once(FaultsTest::isDelete, faulty.executeAndThen(FaultyApi.hangUp()));
    faulty.once(this::isWait, faulty.after(() -> release(NAME)));
    assertThat(outcome()).isEqualTo(new DeleteResult(Status.ALREADY_GONE));
  }

  @Test
  void aDeletionWhoseAnswersAreAllLostIsSeenToBeDone() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, faulty.executeAndThen(FaultyApi.hangUp()));
    faulty.always(FaultsTest::isDelete, FaultyApi.refuse(500));
    assertThat(outcome().status()).isEqualTo(Status.GONE);
  }

  @Test
  void aDeletionWithoutAnAnswerMayYetBeCarriedOut() {
    create(NAME);
    faulty.always(FaultsTest::isDelete, FaultyApi.hangUp());
    assertThat(outcome().status()).isEqualTo(Status.UNKNOWN);
  }

  /** As while its CustomResourceDefinition is upgraded. */
  @Test
  void aResourceThatIsNotServedForAMomentIsNotTakenToBeGone() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, FaultyApi.refuse(404));
    assertThat(outcome().status()).isEqualTo(Status.FAILED);

    faulty.always(FaultsTest::isDelete, FaultyApi.refuse(500));
    faulty.always(request -> request.endsWith(path(NAME)), FaultyApi.refuse(404));
    assertThat(outcome().status()).isEqualTo(Status.UNKNOWN);
    assertThat(names()).containsExactly(NAME);
  }

  /** It is neither gone nor failed: nobody could look. */
  @Test
  void whatIsUnknownInTheEndIsRecordedAsThat() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, faulty.executeAndThen(FaultyApi.hangUp()));
    faulty.always(request -> request.endsWith(path(NAME)), FaultyApi.refuse(500));
    assertThat(outcome().status()).isEqualTo(Status.UNKNOWN);
    assertThat(records).singleElement().asString().contains("\"result\":\"unknown\"");
  }

  /** The stream of audit lines never recovers, so a run that cannot write one must be seen. */
  @Test
  void aRunThatCannotWriteAuditLinesDeletesNothingAndIsNotGood() {
    create(NAME);
    var audit =
        new AuditLog(
            _ -> {
              throw new IllegalStateException("no space left on device");
            },
            Clock.systemUTC());
    var report = pruner(audit).run(true);
    assertThat(report.isGood()).isFalse();
    assertThat(report.ending()).isEqualTo(RunReport.Ending.INTERRUPTED);
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void aWishForFewerRequestsIsObeyed() {
    create(NAME);
    faulty.once(FaultsTest::isDelete, FaultyApi.refuse(429, "Retry-After", "1"));
    var begin = System.nanoTime();
    assertThat(outcome()).isEqualTo(new DeleteResult(Status.GONE));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(faulty.requests("DELETE ")).hasSize(2);
  }

  /** Else it would go on for days, and keep every other run waiting. */
  @Test
  void whereNothingIsCarriedOutTheRestIsNotTried() {
    IntStream.rangeClosed(1, 30).forEach(i -> create(batcher(i)));
    faulty.always(FaultsTest::isDelete, FaultyApi.refuse(500));
    var report = run();
    assertThat(report.ending()).isEqualTo(RunReport.Ending.INTERRUPTED);
    assertThat(TestSessions.count(report, Status.NOT_TRIED)).isBetween(10L, 29L);
    assertThat(names()).hasSize(30);
    assertThat(records).as("one each").hasSize(30);
  }

  @Promise(
      value = "Nothing is deleted from an expired list.",
      breaks = "Planning from the pages read before a 410.")
  @Test
  void byAListThatGrewTooOldNothingGoes() {
    IntStream.rangeClosed(1, 101).parallel().forEach(i -> create(batcher(i)));
    faulty.once(request -> request.contains("continue="), FaultyApi.refuse(410));
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(this::run)
        .matches(failure -> failure.getCode() == 410);
    assertThat(names()).as("nothing by half of a list").hasSize(101);
  }

  @Test
  void aListThatFailsDuringTheWaitIsTriedAgain() {
    held(NAME);
    var again = new CountDownLatch(1);
    faulty.once(this::isWait, FaultyApi.refuse(410));
    faulty.once(this::isWait, faulty.after(again::countDown));
    var running = CompletableFuture.supplyAsync(() -> outcome(60), Thread.ofVirtual()::start);
    TestCluster.eventually("it lists again", () -> again.getCount() == 0);
    release(NAME);
    assertThat(running.join()).isEqualTo(new DeleteResult(Status.GONE));
  }

  @Test
  void whatCannotBeSeenAtAllIsSaidToRemain() {
    held(NAME);
    faulty.always(this::isWait, FaultyApi.refuse(500));
    assertThat(outcome(1))
        .satisfies(
            remaining -> {
              assertThat(remaining.status()).isEqualTo(Status.REMAINING);
              assertThat(remaining.detail()).matches("could not be checked: .*a fault");
            });
    faulty.heal();
    release(NAME);
  }

  @Test
  void eachOfThoseThatFinalizersHoldIsRecordedWhenItGoes() {
    held(NAME);
    held(batcher(2));
    var pruner = pruner(TestSessions.audit(records));
    var run = pruner.run(true);
    var running =
        CompletableFuture.supplyAsync(
            () -> pruner.awaitSessions(run, Duration.ofSeconds(60)), Thread.ofVirtual()::start);
    assertThat(records).isEmpty();
    release(batcher(2));
    TestCluster.eventually("it is recorded", () -> !records.isEmpty());
    assertThat(running).as("the other one is still there").isNotDone();
    release(NAME);
    running.join();
    assertThat(records).hasSize(2).allMatch(d -> d.contains("\"gone\""));
  }

  private boolean isWait(String request) {
    return request.equals("GET " + path(NAME)) && !faulty.requests("DELETE ").isEmpty();
  }

  @Test
  void whatAFinalizerHoldsIsReportedWithItAndNotDeletedTwice() {
    held(NAME);
    assertThat(outcome(1))
        .isEqualTo(new DeleteResult(Status.REMAINING, "finalizers [example.com/held]"));
    assertThat(run().deletions()).as("it is leaving").isEmpty();
    assertThat(faulty.requests("DELETE ")).hasSize(1);
    release(NAME);
  }

  /** It may hold for long, and a list of all sessions is dear. */
  @Test
  void whatAFinalizerHoldsIsAskedForByNameAndSeldom() {
    held(NAME);
    IntStream.rangeClosed(2, 101).parallel().forEach(i -> create(batcher(i)));
    var report = TestSessions.run(pruner(TestSessions.audit(records)), Duration.ofSeconds(3));
    assertThat(TestSessions.count(report, Status.REMAINING)).isEqualTo(1);
    assertThat(TestSessions.count(report, Status.GONE)).isEqualTo(100);
    assertThat(faulty.requests("GET " + cluster.sessions() + "?"))
        .as("one list, in pages of 50")
        .hasSize(3);
    assertThat(faulty.requests("GET " + path(NAME)))
        .as("after pauses of 100 ms, twice that, and so on, and once for its finalizers")
        .hasSizeBetween(2, 8);
    assertThat(faulty.requests("GET " + cluster.sessions() + "/batcher"))
        .hasSameSizeAs(faulty.requests("GET " + path(NAME)));
    release(NAME);
  }

  /** Its time would look like a difference of the clocks. */
  @Test
  void aFirstPageThatTakesLongStopsNoRun() {
    create(NAME);
    run();

    var requests = faulty.requests("GET ");
    var list = requests.stream().filter(each -> each.contains("/cfsessions?limit")).findFirst();
    var clock = requests.stream().filter(each -> each.endsWith("/version")).findFirst();
    assertThat(requests).containsSubsequence(list.orElseThrow(), clock.orElseThrow());
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
              stop.cancel();
              stopped.countDown();
            }));
    // However late that one is: the other workers must not go on meanwhile.
    faulty.always(FaultsTest::isDelete, faulty.heldUntil(stopped));
    var report = run();
    assertThat(report.ending()).isEqualTo(RunReport.Ending.INTERRUPTED);
    var gone = TestSessions.count(report, Status.GONE);
    assertThat(names()).hasSize((int) (30 - gone));
    assertThat(gone).isBetween(1L, 10L);
    assertThat(records).hasSize(30);
  }

  private static boolean isDelete(String request) {
    return request.startsWith("DELETE ");
  }

  private DeleteResult outcome() {
    return outcome(10);
  }

  private DeleteResult outcome(int seconds) {
    records.clear();
    var audit = TestSessions.audit(records);
    var report = TestSessions.run(pruner(audit), Duration.ofSeconds(seconds));
    assertThat(report.deletions()).hasSize(1);
    assertThat(records).as("one record").hasSize(1);
    return report.deletions().getFirst().result();
  }

  private RunReport run() {
    return TestSessions.run(pruner(TestSessions.audit(records)), TestSessions.WAIT);
  }

  private Pruner pruner(AuditLog audit) {
    return TestSessions.pruner(
        client, cluster.namespace(), TestSessions.POLICY, TestSessions.FAST, audit, stop);
  }

  /** One that stays when it is deleted. */
  private void held(String name) {
    cluster.createSession(
        name,
        "complete",
        AGED,
        session -> session.withObject("/metadata").putArray("finalizers").add("example.com/held"));
  }

  private void release(String name) {
    cluster.patch(path(name), "{\"metadata\": {\"finalizers\": null}}");
  }

  private String create(String name) {
    return cluster.createSession(name, "complete", AGED).at("/metadata/uid").asText();
  }

  private List<String> names() {
    return cluster.names(cluster.sessions());
  }

  private String path(String name) {
    return cluster.sessions() + "/" + name;
  }
}
