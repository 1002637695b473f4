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
    cfs.put(batcher(1), "complete", "2025-12-31T23:00:00", "2026-01-01T00:00:00", "cfs-1");
  }

  @AfterEach
  void close() {
    cfs.close();
  }

  @Test
  void whereTheListFailsNothingIsDeleted() {
    for (var code : List.of(429, 500, 503)) {
      cfs.once(request -> request.startsWith("GET /v3/sessions?"), code, "{}");
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
    cfs.once(DELETE::equals, 429, "{}", "Retry-After", "2");
    var begin = System.nanoTime();
    assertThat(run().count(Outcome.Gone.class)).isEqualTo(1);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(2));
  }

  private PruneReport run() {
    var stop = new StopSignal(() -> true);
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
