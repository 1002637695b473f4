package dev.shipshape.janitor;

import static dev.shipshape.janitor.TestJanitors.LATER;
import static dev.shipshape.janitor.TestJanitors.daysAgo;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.restart.Signature;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.FaultyApi;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators that are not CFS's, one beside the other. */
class OperatorsTest extends WithJanitors {
  private static final String FAILED = "Failed to watch: connection refused";

  @Test
  void aStatefulSetIsRestartedByItselfWithoutPruningAnything() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    createSet("StatefulSet", "one");
    janitors.writeLog("one", FAILED, 6, LATER.instant());
    var janitor =
        janitors.startWithOperators(
            TestJanitors.operator(cluster.namespace(), ""), entry("one", "StatefulSet", ""));

    assertThat(janitor.checkOperator(TestJanitors.OPERATOR).diagnosis())
        .as("each log is its own")
        .isEqualTo(Diagnosis.Kind.UNREADABLE);
    var report = checkTwice(janitor, "one");

    var restartedAt = Objects.requireNonNull(report.restartedAt()).toString();
    var set = cluster.get(path("StatefulSet") + "/one");
    assertThat(
            set.at("/spec/template/metadata/annotations")
                .path("kubectl.kubernetes.io/restartedAt")
                .asText())
        .isEqualTo(restartedAt);
    assertThat(set.at("/metadata/annotations").path("shipshape.dev/restarts").asText())
        .isEqualTo(restartedAt);
    assertThat(janitors.writes())
        .as("one patch, no session deleted")
        .extracting(event -> event.at("/objectRef/resource").asText())
        .containsExactly("statefulsets");
    assertThat(restarts("one")).isEqualTo(1);
    assertThat(restarts(TestJanitors.OPERATOR)).isZero();
    TestCluster.eventually("an Event is written", () -> !cluster.events().isEmpty());
    assertThat(cluster.events())
        .extracting(event -> event.at("/regarding/kind").asText())
        .containsOnly("StatefulSet");

    finish("StatefulSet", "one");
    assertThat(janitor.checkOperator("one").refusal())
        .as("the budget is kept on the object")
        .isEqualTo(RestartRefusal.COOLDOWN);
  }

  @Test
  void aDaemonSetIsRestartedToo() throws Exception {
    createNode("");
    createSet("DaemonSet", "agent");
    janitors.writeLog("agent", FAILED, 6, LATER.instant());
    var janitor = janitors.startWithOperators(entry("agent", "DaemonSet", ""));

    assertThat(checkTwice(janitor, "agent").restartedAt()).isNotNull();
    assertThat(janitors.writes())
        .extracting(event -> event.at("/objectRef/resource").asText())
        .containsExactly("daemonsets");
  }

  /** As by an autoscaler: the others have been stuck for long. */
  @Test
  void aPodThatWasOnlyAddedStartsNoCooldown() throws Exception {
    createNode("");
    createSet("DaemonSet", "agent");
    startedBeforeLater(cluster.names(cluster.path("pods")).getFirst(), Duration.ofMinutes(16));
    createNode("-new");
    TestCluster.eventually(
        "there is a second pod", () -> cluster.names(cluster.path("pods")).size() == 2);
    finish("DaemonSet", "agent");
    for (var pod : cluster.names(cluster.path("pods"))) {
      var started = "/status/containerStatuses/0/state/running/startedAt";
      if (!cluster.get(cluster.path("pods/" + pod)).at(started).isTextual()) {
        startedBeforeLater(pod, Duration.ofMinutes(1));
      }
    }
    janitors.writeLog("agent", FAILED, 6, LATER.instant());
    var janitor = janitors.startWithOperators(entry("agent", "DaemonSet", ""));

    assertThat(checkTwice(janitor, "agent").restartedAt()).isNotNull();
  }

  @Test
  void whereOnlyAPersonCanHelpThereIsNoRestartButTheAdvice() throws Exception {
    cluster.createOperator();
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    janitors.writeLog(
        TestJanitors.OPERATOR, "Unexpected response from CFS: 404", 60, LATER.instant());
    var janitor =
        janitors.startWithOperators(
            "{name: %2$s, namespace: %1$s, container: %2$s, signature: cfs-1.4, ownsSessions: true}"
                .formatted(cluster.namespace(), TestJanitors.OPERATOR));

    var report = checkTwice(janitor, TestJanitors.OPERATOR, "Unexpected response from CFS: 404");

    assertThat(report.diagnosis()).isEqualTo(Diagnosis.Kind.STUCK);
    assertThat(report.refusal()).isEqualTo(RestartRefusal.OTHER_REMEDY);
    assertThat(report.refusalDetail()).isEqualTo(Signature.shipped("cfs-1.4").advice());
    assertThat(report.armed()).as("no restart can follow").isFalse();
    assertThat(janitors.writes()).isEmpty();
  }

  @Test
  void oneOperatorMayBeLeftUnarmed() throws Exception {
    createSet("StatefulSet", "one");
    createSet("StatefulSet", "two");
    janitors.writeLog("one", FAILED, 6, LATER.instant());
    janitors.writeLog("two", FAILED, 6, LATER.instant());
    var janitor =
        janitors.startWithOperators(
            entry("one", "StatefulSet", ", armed: false"), entry("two", "StatefulSet", ""));

    assertThat(checkTwice(janitor, "one").refusal()).isEqualTo(RestartRefusal.NOT_ARMED);
    assertThat(checkTwice(janitor, "two").restartedAt()).isNotNull();
  }

  /** A StatefulSet has no ReplicaSets that would remember it. */
  @Test
  void aRestartThatIsRevertedCountsForTheNextLeaderToo() throws Exception {
    createSet("StatefulSet", "one");
    janitors.writeLog("one", FAILED, 6, LATER.instant());
    var first = janitors.startWithOperators(entry("one", "StatefulSet", ""));
    assertThat(checkTwice(first, "one").restartedAt()).isNotNull();
    first.close();
    cluster.patch(
        path("StatefulSet") + "/one",
        """
        {"metadata": {"annotations": null}, "spec": {"template": {"metadata": {"annotations": null}}}}
        """);
    finish("StatefulSet", "one");

    var next = janitors.startWithOperators(entry("one", "StatefulSet", ""));
    assertThat(checkTwice(next, "one").refusal()).isEqualTo(RestartRefusal.COOLDOWN);
  }

  /** Its controller would replace no pod, or not all. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OnDelete|{'type': 'OnDelete', 'rollingUpdate': null}",
        "partition|{'rollingUpdate': {'partition': 1}}"
      })
  void aSetWhosePodsAreNotAllReplacedIsNotRestarted(String reason, String strategy)
      throws Exception {
    createSet("StatefulSet", "one");
    cluster.patch(
        path("StatefulSet") + "/one",
        "{\"spec\": {\"updateStrategy\": %s}}".formatted(strategy.replace('\'', '"')));
    finish("StatefulSet", "one");
    janitors.writeLog("one", FAILED, 6, LATER.instant());
    var janitor = janitors.startWithOperators(entry("one", "StatefulSet", ""));

    var report = checkTwice(janitor, "one");
    assertThat(report.refusal()).isEqualTo(RestartRefusal.PAUSED);
    assertThat(report.refusalDetail()).contains(reason);
  }

  /** Else a pod's grace period may end before the Lease is released. */
  @Test
  void checksThatHangAreWaitedForTogether(ControlPlane controlPlane) throws Exception {
    var sets = List.of("one", "two", "three");
    sets.forEach(name -> createSet("StatefulSet", name));
    var entries =
        sets.stream().map(name -> entry(name, "StatefulSet", "")).collect(Collectors.joining(", "));
    try (var faulty = FaultyApi.start(controlPlane);
        var through = TestCluster.clientAt(faulty.address())) {
      faulty.always(request -> request.contains("/log?"), faulty.ignore());
      var client = through.adapt(NamespacedKubernetesClient.class).inNamespace(cluster.namespace());
      var janitor =
          janitors.start(
              TestJanitors.ONLY_WHEN_ASKED + "armed: false",
              "checkEvery: 1s",
              entries,
              client,
              TestJanitors.CLOCK);
      TestCluster.eventually(
          "all checks hang",
          () ->
              sets.stream()
                  .allMatch(
                      name ->
                          faulty.requests("GET ").stream()
                              .anyMatch(each -> each.contains("/pods/" + name + "-0/log?"))));

      assertTimeout(Duration.ofSeconds(12), janitor::close);
    }
  }

  private OperatorReport checkTwice(Janitor janitor, String operator) throws IOException {
    return checkTwice(janitor, operator, FAILED);
  }

  private OperatorReport checkTwice(Janitor janitor, String operator, String line)
      throws IOException {
    janitor.checkOperator(operator);
    TestJanitors.awaitNextMillisecond();
    janitors.writeLog(operator, line, 60, LATER.instant());
    return janitor.checkOperator(operator);
  }

  private String entry(String name, String kind, String more) {
    return "{name: %s, namespace: %s, workload: {kind: %s}, container: manager, signature: client-go, window: 10s%s}"
        .formatted(name, cluster.namespace(), kind, more);
  }

  /** One on which the pods of the test may be. */
  private void createNode(String more) {
    cluster.create(
        "/api/v1/nodes",
        """
        {"kind": "Node", "apiVersion": "v1",
         "metadata": {"name": "%1$s%2$s", "labels": {"example.com/only": "%1$s"}}}
        """
            .formatted(cluster.namespace(), more));
  }

  private void startedBeforeLater(String pod, Duration time) {
    cluster.patch(
        cluster.path("pods/" + pod + "/status"),
        """
        {"status": {"containerStatuses": [
          {"name": "manager", "image": "i", "imageID": "i", "ready": true, "restartCount": 0,
           "state": {"running": {"startedAt": "%s"}}}]}}
        """
            .formatted(LATER.instant().minus(time).truncatedTo(ChronoUnit.SECONDS)));
  }

  private String path(String kind) {
    return "/apis/apps/v1/namespaces/%s/%ss"
        .formatted(cluster.namespace(), kind.toLowerCase(Locale.ROOT));
  }

  private void createSet(String kind, String name) {
    cluster.create(
        path(kind),
        """
        {"apiVersion": "apps/v1", "kind": "%s", "metadata": {"name": "%s"},
         "spec": {"selector": {"matchLabels": {"app": "%2$s"}},
          "template": {"metadata": {"labels": {"app": "%2$s"}},
           "spec": {"nodeSelector": {"example.com/only": "%3$s"},
            "tolerations": [{"operator": "Exists"}], "containers": [{"name": "manager", "image": "example.com/manager"}]}}}}
        """
            .formatted(kind, name, cluster.namespace()));
    finish(kind, name);
  }

  /** Says of its pods that they run, until its controller takes it for current. */
  private void finish(String kind, String name) {
    TestCluster.eventually(
        "the rollout is complete",
        () -> {
          cluster.runPods();
          var set = cluster.get(path(kind) + "/" + name);
          var status = set.path("status");
          var pods = cluster.names(cluster.path("pods")).size();
          return pods > 0
              && status.path("observedGeneration").asLong()
                  == set.at("/metadata/generation").asLong()
              && (kind.equals("DaemonSet")
                  ? status.path("updatedNumberScheduled").asInt() == pods
                  : status.path("readyReplicas").asInt() == 1
                      && status.path("currentRevision").equals(status.path("updateRevision")));
        });
    cluster.runPods();
  }

  private double restarts(String operator) {
    return janitors.counter("restarts", "operator", operator);
  }
}
