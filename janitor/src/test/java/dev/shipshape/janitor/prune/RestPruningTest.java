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

  private void put() {
    cfs.put(batcher(1), "complete", "2025-12-31T23:00:00", "2026-01-01T00:00:00", "cfs-1");
  }

  private PruneReport run() {
    var service = new RestService(RestConnection.open(null), cfs.address(), BearerToken.NONE);
    return new Pruner(
            new RestSessions(service, RestVersion.V3, "services", stop),
            Dependents.NONE,
            TestSessions.RULES,
            new Limits(0, 2000, null, Duration.ofMinutes(1)),
            new Pace(1, 1000),
            (_, _) -> {},
            stop,
            Clock.systemUTC())
        .run(true, TestSessions.WAIT);
  }
}
