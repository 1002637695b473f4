package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** The janitor's runs by the schedule: held back, told of, and ended. */
class ScheduledPruningTest extends WithJanitors {
  private static final String NAME = "batcher-00000001-0000-4000-8000-000000000001";
  private static final String AGED = "2026-01-01T00:00:00Z";

  @Promise(
      value = "In a blackout window, no scheduled run begins.",
      breaks = "Using the blackout only to compute the schedule.")
  @Test
  void aBlackoutHoldsRunsBackAndIsCounted() throws Exception {
    cluster.createSession(NAME, "complete", AGED);
    var now = LocalTime.now(ZoneOffset.UTC).withNano(0).withSecond(0);
    var blackout =
        "blackout: [{from: \"%s\", to: \"%s\"}]".formatted(now.minusHours(1), now.plusHours(1));
    try (var _ = start(blackout)) {
      TestCluster.eventually("two runs are held back", () -> blocked("blackout") >= 2);
      assertThat(cluster.names(cluster.sessions())).containsExactly(NAME);
    }
  }

  @Test
  void aRunThatDeletesIsToldByOneEventAboutTheOperatorsDeployment() throws Exception {
    cluster.createOperator();
    cluster.createSession(NAME, "complete", AGED);
    try (var _ = start("workers: 2")) {
      TestCluster.eventually("there is an event", () -> !cluster.events().isEmpty());
    }
    assertThat(cluster.events())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.path("reason").asText()).isEqualTo("SessionsPruned");
              assertThat(event.path("type").asText()).isEqualTo("Normal");
              assertThat(event.path("note").asText()).contains("of 1 sessions: {gone=1}");
              assertThat(event.at("/regarding/uid"))
                  .isEqualTo(cluster.get(cluster.deployment()).at("/metadata/uid"));
            });
  }

  @Test
  void aRunThatALimitStopsIsToldAndCounted() throws Exception {
    cluster.createSession(NAME, "complete", AGED);
    try (var _ = start("maxPercent: 50")) {
      TestCluster.eventually("there is an event", () -> !cluster.events().isEmpty());
    }
    assertThat(cluster.events().getFirst().path("reason").asText()).isEqualTo("PruneStopped");
    assertThat(blocked("too-many")).isPositive();
    assertThat(cluster.names(cluster.sessions())).containsExactly(NAME);
  }

  @Test
  void aRunThatCannotListIsToldAndCounted(ControlPlane controlPlane) throws Exception {
    cluster.createSession(NAME, "complete", AGED);
    try (var faulty = FaultyApi.start(controlPlane);
        var behind = TestCluster.clientAt(faulty.address())) {
      faulty.always(request -> request.contains("/cfsessions?"), FaultyApi.refuse(500));
      try (var _ = start("workers: 2", behind)) {
        TestCluster.eventually("there is an event", () -> !cluster.events().isEmpty());
      }
    }
    assertThat(cluster.events().getFirst().path("reason").asText()).isEqualTo("PruneFailed");
    assertThat(cluster.events().getFirst().path("note").asText())
        .contains("cannot be listed: 500: a fault");
    assertThat(blocked("unlisted")).isPositive();
    assertThat(janitors.counter("prune.runs", "ending", "failed")).isPositive();
    assertThat(cluster.names(cluster.sessions())).containsExactly(NAME);
  }

  @Test
  void endingTheJanitorEndsAWaitWithinSecondsAndRecordsIt() throws Exception {
    cluster.createSession(
        NAME,
        "complete",
        AGED,
        session -> session.withObject("/metadata").putArray("finalizers").add("example.com/held"));
    var janitor = start("workers: 2");
    TestCluster.eventually(
        "it is marked",
        () ->
            cluster.get(cluster.sessions() + "/" + NAME).path("metadata").has("deletionTimestamp"));
    var begin = System.nanoTime();
    janitor.close();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    assertThat(janitors.recorded()).last().asString().contains("terminating");
    cluster.patch(cluster.sessions() + "/" + NAME, "{\"metadata\": {\"finalizers\": null}}");
  }

  private Janitor start(String prune) throws Exception {
    return start(prune, cluster.clientNamed(janitors.agent()));
  }

  private Janitor start(String prune, KubernetesClient client) throws Exception {
    return janitors.startEverySecond(prune, client, TestJanitors.CLOCK);
  }

  private double blocked(String reason) {
    return janitors.counter("prune.blocked", "reason", reason);
  }
}
