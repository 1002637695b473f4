package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ReporterTest {

  @Test
  void aRunThatDeletedNothingIsNotToldAsOneThatPruned(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("told"))) {
      var events =
          new EventWriter(
              cluster.client(),
              new Workload(Workload.Kind.DEPLOYMENT, cluster.namespace(), TestJanitors.OPERATOR),
              Clock.systemUTC());
      var told =
          new Reporter(
              new JanitorMetrics(new SimpleMeterRegistry(), Optional::empty),
              events,
              TestOperatorJob.publisher(cluster.client(), cluster.namespace()),
              Clock.systemUTC());
      told.reportResults(
          report(
              Ending.INTERRUPTED,
              new DeleteResult(Status.NOT_TRIED),
              new DeleteResult(Status.NOT_TRIED)));
      told.reportResults(
          report(
              Ending.DONE,
              new DeleteResult(Status.ALREADY_GONE),
              new DeleteResult(Status.CHANGED)));
      told.reportResults(
          report(
              Ending.INTERRUPTED,
              new DeleteResult(Status.GONE),
              new DeleteResult(Status.NOT_TRIED)));
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
  }

  private static RunReport report(Ending ending, DeleteResult... results) {
    return TestSessions.report(ending, List.of(results));
  }
}
