package dev.shipshape.janitor;

import static dev.shipshape.janitor.TestJanitors.LATER;
import static dev.shipshape.janitor.TestJanitors.daysAgo;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.FaultyApi;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the leader publishes, read as the plugin reads it. */
class StatusPublisherTest extends WithJanitors {
  @Test
  void bothReportsArePublishedAndOnlyWhenTheyChange() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    janitors.writeLog(LATER.instant());
    var janitor = janitors.startLater(true, false);

    var run = janitor.prune();
    TestCluster.eventually("the run is verified", () -> published().lastRun() != null);
    janitor.checkOperator(TestJanitors.OPERATOR);

    var status = published();
    assertThat(status.pruneArmed()).isTrue();
    assertThat(status.restartArmed()).isFalse();
    assertThat(status.lastRun())
        .satisfies(
            published -> {
              assertThat(published.run()).isEqualTo(run.run());
              assertThat(published.ending()).isEqualTo(Ending.DONE);
              assertThat(published.results()).containsEntry("gone", 1);
              assertThat(published.deletions()).as("counts, no sessions").isEmpty();
            });
    assertThat(status.lastGoodRun()).isEqualTo(status.lastRun());
    assertThat(status.operators())
        .singleElement()
        .satisfies(
            operator -> {
              assertThat(operator.refusal()).isEqualTo(RestartRefusal.NOT_ARMED);
              assertThat(operator.stuckSince()).isNotNull();
            });

    var page = Files.readString(Path.of("../docs/reference/janitor-status.md"));
    assertThat(fields(ReportJson.MAPPER.valueToTree(status)))
        .allSatisfy(field -> assertThat(page).contains("`" + field + "`"));

    var writes = writes().size();
    janitor.checkOperator(TestJanitors.OPERATOR);
    janitor.checkOperator(TestJanitors.OPERATOR);
    assertThat(writes()).as("nothing has changed").hasSize(writes);

    janitor.prune();
    TestCluster.eventually("the run is verified", () -> writes().size() > writes);
    janitor.checkOperator(TestJanitors.OPERATOR);
    assertThat(published().operators()).as("since it was first seen").isEqualTo(status.operators());
  }

  @Test
  void theNextLeaderKeepsWhatRunsCameTo() throws Exception {
    var first = janitors.start(false, false);
    first.prune();
    TestCluster.eventually("the run is verified", () -> published().lastRun() != null);
    var run = published().lastRun();

    first.close();
    janitors.start(false, false).checkOperator(TestJanitors.OPERATOR);

    assertThat(published().lastRun()).isEqualTo(run);
    assertThat(published().operators()).hasSize(1);
  }

  /** As after a reinstall: without operators there is no check, and the next run may be far. */
  @Test
  void aLeaderWithoutOperatorsReplacesWhatAnEarlierReleaseHasPublished() throws Exception {
    var first = janitors.start(true, true);
    first.prune();
    TestCluster.eventually("the run is verified", () -> published().lastRun() != null);
    first.checkOperator(TestJanitors.OPERATOR);
    var earlier = published();
    assertThat(earlier.pruneArmed()).isTrue();
    assertThat(earlier.operators()).hasSize(1);
    first.close();

    janitors.start(
        TestJanitors.ONLY_WHEN_ASKED + "armed: false",
        "checkEvery: 1s",
        "",
        cluster.clientNamed(janitors.agent()),
        TestJanitors.CLOCK);

    TestCluster.eventually("the leader has published", () -> !published().pruneArmed());
    assertThat(published())
        .isEqualTo(
            new JanitorStatus(false, false, earlier.lastRun(), earlier.lastGoodRun(), List.of()));
  }

  /** API servers restart one after the other, which is when a Lease changes hands. */
  @Test
  void aLeaderThatCannotReadWhatWasPublishedErasesNothing(ControlPlane controlPlane)
      throws Exception {
    var first = janitors.start(false, false);
    first.prune();
    TestCluster.eventually("the run is verified", () -> published().lastRun() != null);
    var run = published().lastRun();
    first.close();

    try (var faulty = FaultyApi.start(controlPlane);
        var through = TestCluster.clientAt(faulty.address())) {
      var client = through.adapt(NamespacedKubernetesClient.class).inNamespace(cluster.namespace());
      var read = "GET .*/configmaps/" + JanitorStatus.CONFIG_MAP;
      faulty.always(request -> request.matches(read), FaultyApi.refuse(503));
      var next = janitors.startWithoutWaiting(false, false, client, TestJanitors.CLOCK);
      TestCluster.eventually("it leads", next::isLeader);
      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(() -> next.checkOperator(TestJanitors.OPERATOR));
      assertThat(janitors.counter("operator.checks", "diagnosis", "unreadable")).isEqualTo(1);
      faulty.heal();
      next.checkOperator(TestJanitors.OPERATOR);
    }

    assertThat(published().lastRun()).isEqualTo(run);
    assertThat(published().operators()).hasSize(1);
  }

  @Test
  void aCheckThatKeepsFailingIsLoggedOnce(ControlPlane controlPlane) throws Exception {
    try (var faulty = FaultyApi.start(controlPlane);
        var through = TestCluster.clientAt(faulty.address());
        var log = new CapturedLog()) {
      var client = through.adapt(NamespacedKubernetesClient.class).inNamespace(cluster.namespace());
      var read = "GET .*/configmaps/" + JanitorStatus.CONFIG_MAP;
      faulty.always(request -> request.matches(read), FaultyApi.respondWith("sign in"));
      try (var _ =
          janitors.start(
              TestJanitors.ONLY_WHEN_ASKED + "armed: false",
              "checkEvery: 1s",
              TestJanitors.operator(cluster.namespace(), ""),
              client,
              TestJanitors.CLOCK)) {
        TestCluster.eventually(
            "three checks have failed",
            () -> janitors.counter("operator.checks", "diagnosis", "unreadable") >= 3);
      }
      assertThat(log.lines("check of " + TestJanitors.OPERATOR))
          .singleElement()
          .asString()
          .contains("perhaps a sign-in page", "; will try again");
    }
  }

  /** The run of an earlier term may be verified between the failure and the next check. */
  @Test
  void aTermThatCouldNotBeginErasesNothing(ControlPlane controlPlane) throws Exception {
    try (var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      var publisher = TestOperatorJob.publisher(client, cluster.namespace());
      var good = TestSessions.report(Ending.DONE, List.of(new DeleteResult(Status.GONE)));
      publisher.publishRun(good);
      faulty.once(request -> request.startsWith("GET "), FaultyApi.refuse(400));
      assertThatExceptionOfType(KubernetesClientException.class)
          .isThrownBy(() -> publisher.beginTerm(true));

      var failed = TestSessions.report(Ending.DONE, List.of(new DeleteResult(Status.FAILED)));
      publisher.publishRun(failed);
      assertThat(published().lastRun().isGood()).isFalse();
      assertThat(published().lastGoodRun()).isNotNull();
    }
  }

  /** A janitor that each run kills has another leader before each run. */
  @Test
  void whatIsOverdueStaysSoUnderTheNextLeader() {
    var run = TestSessions.report(Ending.DONE, List.of(new DeleteResult(Status.GONE)));
    TestOperatorJob.publisher(cluster.client(), cluster.namespace()).publishRun(run);
    var registry = new SimpleMeterRegistry();
    var metrics = new JanitorMetrics(registry, () -> Optional.of(LATER.instant()));
    metrics.registerDue(after -> Optional.of(after.plusSeconds(900)));

    var publisher = TestOperatorJob.publisher(cluster.client(), cluster.namespace());
    new Reporter(metrics, null, publisher, LATER).beginTerm(false);

    assertThat(registry.get("shipshape.janitor.prune.due.timestamp.seconds").gauge().value())
        .isEqualTo(run.at().plusSeconds(900).getEpochSecond());
  }

  /** As another version may write it, or a person who resets it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{\"operators\": [{\"operator\": \"cray-cfs-operator\"}]}",
        "{\"operators\": [{\"operator\": \"x\", \"at\": \"2026-11-21T12:00:00Z\", \"workload\": {},"
            + " \"diagnosis\": \"stuck\", \"detail\": \"\", \"refusalDetail\": \"\", \"restarts\":"
            + " {}}]}",
        "{\"lastRun\": {}}",
        "{\"lastRun\": {\"run\": \"x\", \"at\": \"2026-11-21T12:00:00Z\", \"ending\": \"done\","
            + " \"message\": \"\", \"stats\": {\"total\": 1, \"eligible\": 0}}}",
        "{\"lastGoodRun\": {\"run\": \"x\", \"ending\": \"done\"}}"
      })
  void aStatusThatIsNotCompleteIsTakenForNone(String text) {
    publish(text);
    assertThat(TestOperatorJob.publisher(cluster.client(), cluster.namespace()).beginTerm(false))
        .isEqualTo(new JanitorStatus(true, true, null, null, List.of()));
  }

  private void publish(String text) {
    var name = JanitorStatus.CONFIG_MAP;
    var data = Map.of(JanitorStatus.KEY, text);
    var configMap =
        new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().withData(data);
    cluster.client().resource(configMap.build()).forceConflicts().serverSideApply();
  }

  /** Of records alone: a map's keys are words of the metrics. */
  private static Set<String> fields(JsonNode json) {
    var fields = new TreeSet<String>();
    json.properties()
        .forEach(
            field -> {
              fields.add(field.getKey());
              if (field.getValue().isArray()) {
                field.getValue().forEach(element -> fields.addAll(fields(element)));
              }
              if (!Set.of("kept", "byState", "results").contains(field.getKey())) {
                fields.addAll(fields(field.getValue()));
              }
            });
    return fields;
  }

  private List<JsonNode> writes() {
    return cluster.audited(
        janitors.agent(),
        event ->
            List.of("patch", "create", "update").contains(event.path("verb").asText())
                && event.at("/objectRef/resource").asText().equals("configmaps"));
  }

  private JanitorStatus published() {
    return cluster
        .find(cluster.path("configmaps/" + JanitorStatus.CONFIG_MAP))
        .map(found -> TestCluster.json(found.at("/data/" + JanitorStatus.KEY).asText()))
        .map(json -> ReportJson.MAPPER.convertValue(json, JanitorStatus.class))
        .orElse(new JanitorStatus(false, false, null, null, List.of()));
  }
}
