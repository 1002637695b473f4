package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.BearerToken;
import dev.shipshape.janitor.session.FakeCfs;
import dev.shipshape.janitor.session.RestConnection;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.RestSessions;
import dev.shipshape.janitor.session.RestVersion;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can go wrong between the pruner and the CFS service. */
class RestPruningTest {
  private static final String READ = "GET /v3/sessions/" + batcher(1);
  private static final String DELETE = "DELETE /v3/sessions/" + batcher(1);

  private final StopSignal stop = new StopSignal(() -> true);
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
    for (var code : List.of(429, 500, 503)) {
      cfs.once(RestPruningTest::isList, code, "{}");
      assertThatExceptionOfType(ApiFailure.class)
          .isThrownBy(this::run)
          .matches(failure -> failure.code() == code);
    }
    assertThat(cfs.requests).noneMatch(request -> request.startsWith("DELETE "));
    assertThat(run().count(Outcome.Gone.class)).isEqualTo(1);
  }

  @Test
  void aReadThatFailsIsTriedAgainBeforeAnythingIsDeleted() {
    for (var code : List.of(429, 503)) {
      cfs.once(READ::equals, code, "{}");
    }
    assertThat(run().count(Outcome.Gone.class)).isEqualTo(1);
    assertThat(cfs.requests).filteredOn(DELETE::equals).hasSize(1);
  }

  @Test
  void aServiceThatFailsOnIsGivenUpAfterFiveTries() {
    cfs.always(DELETE::equals, 503, "{\"detail\": \"Kafka is not there\"}");
    assertThat(run().deletions())
        .singleElement()
        .satisfies(
            deletion ->
                assertThat(deletion.outcome().detail())
                    .isEqualTo("given up after 5 tries: answered 503: Kafka is not there"));
    assertThat(cfs.names()).containsExactly(batcher(1));
  }

  /** As where the right to read is gone: waiting changes nothing about that. */
  @Test
  void aReadThatIsRefusedIsNotTriedAgain() {
    put(3);
    cfs.always(request -> isOf("GET", request), 403, "{\"detail\": \"no right\"}");
    assertThat(run().deletions())
        .hasSize(3)
        .extracting(deletion -> deletion.outcome().detail())
        .allSatisfy(
            detail ->
                assertThat(detail)
                    .matches("answered 403: GET /v3/sessions/.* was answered 403: no right"));
    assertThat(cfs.requests).filteredOn(request -> isOf("GET", request)).hasSize(3);
    assertThat(cfs.names()).hasSize(3);
  }

  /** Else it would go on for days, and keep every other run waiting. */
  @Test
  void whereNothingIsCarriedOutForTooLongTheRestIsNotTried() {
    put(20);
    cfs.always(request -> isOf("DELETE", request), 429, "{}", "Retry-After", "1");
    var pace = new Pace(2, 1000, Duration.ofSeconds(2));
    var report = run(pace, new Wait(false, Duration.ofSeconds(10)));
    assertThat(report.ending()).isEqualTo(PruneReport.Ending.INTERRUPTED);
    assertThat(report.count(Outcome.Failed.class)).isBetween(1L, 2L);
    assertThat(report.count(Outcome.NotTried.class)).isBetween(18L, 19L);
    assertThat(cfs.requests).filteredOn(request -> isOf("DELETE", request)).hasSizeLessThan(20);
    assertThat(cfs.names()).hasSize(20);
  }

  @Test
  void aWishForFewerRequestsIsObeyed() {
    for (var request : List.of(DELETE, READ)) {
      put();
      cfs.requests.clear();
      cfs.once(request::equals, 429, "{}", "Retry-After", "2");
      var begin = System.nanoTime();
      assertThat(run().count(Outcome.Gone.class)).isEqualTo(1);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(2));
      assertThat(cfs.requests).as("none between").filteredOn(READ::equals).hasSize(2);
    }
  }

  @Test
  void whatAUserDeletesBeforeADeletionWasSentIsNotOurs() {
    cfs.once(READ::equals, 429, "{}", "Retry-After", "1");
    cfs.before(READ::equals, () -> cfs.remove(batcher(1)));
    assertThat(run().deletions())
        .extracting(Deletion::outcome)
        .containsExactly(new Outcome.AlreadyGone());
    assertThat(cfs.requests).doesNotContain(DELETE);
  }

  @Test
  void aListThatIsToWaitIsGoneOnWith() {
    for (var code : List.of(429, 503)) {
      put();
      cfs.once(RestPruningTest::isList, code, "{}", "Retry-After", "1");
      var begin = System.nanoTime();
      assertThat(run().count(Outcome.Gone.class)).isEqualTo(1);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void aListThatIsToWaitForEverEndsTheRun() {
    for (var asked : List.of("0", "3600")) {
      cfs.requests.clear();
      cfs.always(RestPruningTest::isList, 429, "{}", "Retry-After", asked);
      assertThatExceptionOfType(ApiFailure.class)
          .isThrownBy(this::run)
          .matches(failure -> failure.code() == 429);
      assertThat(cfs.requests).hasSize(asked.equals("0") ? 5 : 1);
      cfs.heal();
    }
  }

  @Test
  void beingToldToStopEndsAListThatWaits() {
    cfs.always(RestPruningTest::isList, 429, "{}", "Retry-After", "60");
    cfs.before(RestPruningTest::isList, stop::stop);
    var begin = System.nanoTime();
    assertThatExceptionOfType(ApiFailure.class).isThrownBy(this::run);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    assertThat(cfs.requests).hasSize(1);
  }

  @Test
  void beingToldToStopEndsAListBetweenTwoPages() {
    IntStream.range(0, 501)
        .forEach(i -> cfs.put("s-" + i, "running", "2025-12-31T23:00:00", null, null));
    cfs.before(RestPruningTest::isList, stop::stop);
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(this::run)
        .withMessageContaining("told to stop");
    assertThat(cfs.requests).hasSize(1);
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

  private PruneReport run() {
    return run(new Pace(1, 1000), TestSessions.WAIT);
  }

  private PruneReport run(Pace pace, Wait wait) {
    var service = new RestService(RestConnection.open(null), cfs.address(), BearerToken.NONE);
    return new Pruner(
            new RestSessions(service, RestVersion.V3, "services", stop),
            Dependents.NONE,
            TestSessions.RULES,
            new Limits(0, 2000, null, Duration.ofMinutes(1)),
            pace,
            (_, _) -> {},
            stop,
            Clock.systemUTC())
        .run(true, wait);
  }
}
