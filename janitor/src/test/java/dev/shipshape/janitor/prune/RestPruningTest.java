package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.FakeCfs;
import dev.shipshape.janitor.session.RestEndpoint;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.RestStore;
import dev.shipshape.janitor.session.RestVersion;
import dev.shipshape.sandbox.junit.Promise;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can go wrong between the pruner and the CFS service. */
class RestPruningTest {
  private static final String READ = "GET /v3/sessions/" + batcher(1);
  private static final String DELETE = "DELETE /v3/sessions/" + batcher(1);

  private FakeCfs cfs;

  @BeforeEach
  void open() throws IOException {
    cfs = FakeCfs.start("v3");
    put();
  }

  @AfterEach
  void close() {
    cfs.close();
  }

  @Test
  void whereTheListFailsNothingIsDeleted() {
    for (var code : List.of(403, 500, 503)) {
      cfs.once(RestPruningTest::isList, code, "{}");
      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(this::run)
          .matches(failure -> failure.getCode() == code);
    }
    assertThat(cfs.requests).noneMatch(request -> request.startsWith("DELETE "));
    assertThat(TestSessions.count(run(), Status.GONE)).isEqualTo(1);
  }

  @Test
  void aServiceThatFailsKeepsTheSessionForTheNextRun() {
    cfs.once(DELETE::equals, 503, "{\"detail\": \"Kafka is not there\"}");
    assertThat(run().deletions())
        .singleElement()
        .satisfies(
            deletion -> {
              assertThat(deletion.result().status()).isEqualTo(Status.FAILED);
              assertThat(deletion.result().detail())
                  .endsWith("was answered 503: Kafka is not there");
            });
    assertThat(TestSessions.count(run(), Status.GONE)).isEqualTo(1);
  }

  @Test
  void aDeletionThatAGatewayGaveUpMayStillBeCarriedOut() {
    cfs.once(DELETE::equals, 504, "upstream request timeout");
    assertThat(run().deletions())
        .extracting(deletion -> deletion.result().status())
        .containsExactly(Status.UNKNOWN);
  }

  @Test
  void theErrorOfADeletionThatWasCarriedOutIsRecorded() {
    cfs.before(DELETE::equals, () -> cfs.remove(batcher(1)));
    cfs.once(DELETE::equals, 500, "{\"detail\": \"Kafka\"}");
    assertThat(run().deletions())
        .singleElement()
        .satisfies(each -> assertThat(each.result().detail()).endsWith("Kafka"));
  }

  /** As where the right to read is gone: waiting changes nothing about that. */
  @Test
  void aReadThatIsRefusedIsNotTriedAgain() {
    put(3);
    cfs.always(request -> isOf("GET", request), 403, "{\"detail\": \"no right\"}");
    assertThat(run().deletions())
        .hasSize(3)
        .extracting(deletion -> deletion.result().detail())
        .allSatisfy(
            detail ->
                assertThat(detail)
                    .contains("GET " + cfs.address() + "/")
                    .endsWith("was answered 403: no right"));
    assertThat(cfs.requests).filteredOn(request -> isOf("GET", request)).hasSize(3);
    assertThat(cfs.names()).hasSize(3);
  }

  /** A token that has expired: all others would fail alike. */
  @Test
  void aTokenThatIsRefusedStopsTheRun() {
    put(40);
    cfs.always(request -> isOf("DELETE", request), 401, "{}");
    assertThat(TestSessions.count(run(), Status.NOT_TRIED)).isPositive();
    assertThat(cfs.names()).hasSize(40);
  }

  @Promise(
      value = "Through the CFS service, each session is read just before it is deleted.",
      breaks = "Deleting from the list.")
  @Test
  void whatAUserDeletesBeforeADeletionWasSentIsNotOurs() {
    cfs.before(READ::equals, () -> cfs.remove(batcher(1)));
    assertThat(run().deletions())
        .extracting(Deletion::result)
        .containsExactly(new DeleteResult(Status.ALREADY_GONE));
    assertThat(cfs.requests).doesNotContain(DELETE);
  }

  /** The service answers 204 before its own database is through, or a gateway answers for it. */
  @Test
  void whatWasAnsweredAsDeletedAndIsStillListedIsNotGone() {
    put(20);
    cfs.always(DELETE::equals, 204, "");
    assertThat(run(Duration.ofMillis(300)).deletions())
        .extracting(Deletion::result)
        .filteredOn(result -> result.status() != Status.GONE)
        .containsExactly(new DeleteResult(Status.REMAINING, "the service still lists it"));
    assertThat(cfs.names()).containsExactly(batcher(1));
  }

  @Test
  void oneListTellsThatAllAreGone() {
    put(40);
    assertThat(TestSessions.count(run(), Status.GONE)).isEqualTo(40);
    assertThat(cfs.requests.stream().filter(RestPruningTest::isList)).hasSize(2);
    assertThat(cfs.requests).filteredOn(request -> isOf("GET", request)).hasSize(40);
  }

  private static boolean isList(String request) {
    return request.startsWith("GET /v3/sessions?");
  }

  /** Of one session. */
  private static boolean isOf(String method, String request) {
    return request.startsWith(method + " /v3/sessions/");
  }

  private void put() {
    put(1);
  }

  /** The first is the oldest. */
  private void put(int number) {
    for (var i = 1; i <= number; i++) {
      var completed = "2026-01-01T00:%02d:00".formatted(i);
      cfs.put(batcher(i), "complete", "2025-12-31T23:00:00", completed, "cfs-" + i);
    }
  }

  private RunReport run() {
    return run(TestSessions.WAIT);
  }

  private RunReport run(Duration wait) {
    var service = new RestService(new RestEndpoint(cfs.address(), null, null));
    return TestSessions.run(
        TestSessions.pruner(
            new RestStore(EmptyCluster.client(), service, RestVersion.V3, "services"),
            TestSessions.POLICY,
            TestSessions.ONE_WORKER,
            new AuditLog(_ -> {}, Clock.systemUTC()),
            () -> true,
            Clock.systemUTC()),
        wait);
  }
}
