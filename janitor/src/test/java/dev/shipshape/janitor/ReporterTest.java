package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ReporterTest {
  private TestCluster cluster;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("told"));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aRunThatDeletedNothingIsNotToldAsOneThatPruned() {
    var told =
        new Reporter(
            new JanitorMetrics(new SimpleMeterRegistry(), Optional::empty),
            events(cluster.client()),
            TestOperatorJob.publisher(cluster.client(), cluster.namespace()),
            Clock.systemUTC());
    told.reportResults(
        report(
            Ending.INTERRUPTED,
            new DeleteResult(Status.NOT_TRIED),
            new DeleteResult(Status.NOT_TRIED)));
    told.reportResults(
        report(
            Ending.DONE, new DeleteResult(Status.ALREADY_GONE), new DeleteResult(Status.CHANGED)));
    told.reportResults(
        report(
            Ending.INTERRUPTED, new DeleteResult(Status.GONE), new DeleteResult(Status.NOT_TRIED)));
    told.reportResults(
        report(
            Ending.INTERRUPTED,
            new DeleteResult(Status.FAILED, "x"),
            new DeleteResult(Status.NOT_TRIED)));
    assertThat(cluster.events())
        .extracting(
            event ->
                event.path("reason").asText() + event.path("note").asText().replaceAll(".*:", ""))
        .containsExactlyInAnyOrder(
            "SessionsPruned {gone=1, not-tried=1}", "PruneIncomplete {failed=1, not-tried=1}");
  }

  @Test
  void noMoreThanTwentyEventsWithinAnHour() {
    var events = events(cluster.client());
    for (var i = 0; i < 25; i++) {
      events.publish("Warning", "StuckOperatorRestarted", "Restart", "note " + i);
    }
    assertThat(cluster.events()).hasSize(20);
  }

  @Test
  void anEventWithoutAnAnswerIsALineThatNamesTheCause(ControlPlane controlPlane) throws Exception {
    try (var log = new CapturedLog();
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      faulty.always(request -> request.startsWith("POST "), FaultyApi.hangUp());
      events(client).publish("Warning", "StuckOperatorRestarted", "Restart", "note");

      assertThat(log.lines("could not write an Event StuckOperatorRestarted (Restart)"))
          .singleElement()
          .asString()
          .contains(": no answer from the API server: java.");
    }
  }

  private EventWriter events(KubernetesClient client) {
    return new EventWriter(
        client,
        new Workload(Workload.Kind.DEPLOYMENT, cluster.namespace(), TestJanitors.OPERATOR),
        Clock.systemUTC());
  }

  private static RunReport report(Ending ending, DeleteResult... results) {
    return TestSessions.report(ending, List.of(results));
  }
}
