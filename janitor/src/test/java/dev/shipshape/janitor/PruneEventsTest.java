package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.prune.Census;
import dev.shipshape.janitor.prune.Deletion;
import dev.shipshape.janitor.prune.Outcome;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.PruneReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.SettingsReader;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class PruneEventsTest {

  @Test
  void aRunThatDeletedNothingIsNotToldAsOneThatPruned(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("told"))) {
      var settings =
          SettingsReader.parse(
              "janitor.yaml",
              "{apiVersion: shipshape.dev/v1, operator: {namespace: %s}}"
                  .formatted(cluster.namespace()),
              JanitorSettings::from);
      var results = new CopyOnWriteArrayList<KubernetesEvents.Result>();
      try (var events =
          new KubernetesEvents(
              cluster.api(), "test", Clock.systemUTC(), System::nanoTime, results::add)) {
        var told = new PruneEvents(events, cluster.api(), settings.operator());
        told.tell(report(Ending.INTERRUPTED, new Outcome.NotTried(), new Outcome.NotTried()));
        told.tell(report(Ending.DONE, new Outcome.AlreadyGone(), new Outcome.Replaced()));
        told.tell(report(Ending.INTERRUPTED, new Outcome.Gone(), new Outcome.NotTried()));
        told.tell(
            report(Ending.INTERRUPTED, new Outcome.Failed("x", false), new Outcome.NotTried()));
        TestCluster.eventually("they are written, in this order", () -> results.size() >= 2);
      }
      assertThat(told(cluster))
          .containsExactlyInAnyOrder(
              "SessionsPruned {gone=1, not-tried=1}", "PruneIncomplete {failed=1, not-tried=1}");
    }
  }

  private static List<String> told(TestCluster cluster) {
    var found = new ArrayList<String>();
    for (var event :
        cluster
            .get("/apis/events.k8s.io/v1/namespaces/" + cluster.namespace() + "/events")
            .path("items")) {
      if (event.path("reportingController").asText().equals("shipshape.dev/janitor")) {
        found.add(
            event.path("reason").asText() + event.path("note").asText().replaceAll(".*:", ""));
      }
    }
    return found;
  }

  private static PruneReport report(Ending ending, Outcome... outcomes) {
    var plan = new Plan(Instant.EPOCH, List.of(), 0, new Census(), Optional.empty());
    var deletions =
        Stream.of(outcomes)
            .map(outcome -> new Deletion(TestSessions.entry(), outcome, Duration.ZERO))
            .toList();
    return new PruneReport("run", plan, ending, deletions, Duration.ZERO);
  }
}
