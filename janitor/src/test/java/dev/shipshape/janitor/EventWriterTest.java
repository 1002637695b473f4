package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class EventWriterTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.123Z");

  private TestCluster cluster;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("events"));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aNoteOfAnyLengthAndAlphabetFits() {
    publish(events(cluster.client()), "ü\n".repeat(5_000));
    assertThat(cluster.events()).hasSize(1);
  }

  @Test
  void noMoreThanTwentyWithinAnHour() {
    var events = events(cluster.client());
    for (var i = 0; i < 25; i++) {
      publish(events, "note " + i);
    }
    assertThat(cluster.events()).hasSize(20);
  }

  @Test
  void anEventWithoutAnAnswerIsALineThatNamesTheCause(ControlPlane controlPlane) throws Exception {
    try (var log = new CapturedLog();
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      faulty.always(request -> request.startsWith("POST "), FaultyApi.hangUp());
      publish(events(client), "note");

      assertThat(log.linesWith("could not write an Event StuckOperatorRestarted (Restart)"))
          .singleElement()
          .asString()
          .contains(": no answer from the API server: java.");
    }
  }

  private EventWriter events(KubernetesClient client) {
    return new EventWriter(
        client,
        new Workload(Workload.Kind.DEPLOYMENT, cluster.namespace(), TestJanitors.OPERATOR),
        () -> NOW);
  }

  private static void publish(EventWriter events, String note) {
    events.publish("Warning", "StuckOperatorRestarted", "Restart", note);
  }
}
