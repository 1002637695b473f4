package dev.shipshape.janitor;

import static dev.shipshape.janitor.TestJanitors.CLOCK;
import static dev.shipshape.janitor.TestJanitors.daysAgo;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.junit.Promise;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JanitorTest extends WithJanitors {
  @Test
  void everyCounterIsThereFromTheStartWithZero() {
    Janitor.idle(List.of(), janitors.registry());
    assertThat(janitors.registry().scrape())
        .contains("shipshape_janitor_deletions_total{result=\"gone\"} 0.0")
        .contains("shipshape_janitor_prune_runs_total{ending=\"failed\"} 0.0")
        .contains("shipshape_janitor_prune_last_success_timestamp_seconds 0.0");
  }

  @Test
  void exactlyTheAgedCompleteSessionsGoAndEachWithOneRequest() throws Exception {
    var expected = createTwoHundredSessions();
    var before = new TreeSet<>(cluster.names(cluster.sessions()));

    var reporting = janitors.start(false, false);
    var reported = reporting.prune();
    assertThat(reported.ending()).isEqualTo(Ending.REPORTED);
    assertThat(reported.deletions())
        .extracting(planned -> planned.session().name())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(cluster.names(cluster.sessions())).hasSize(before.size());
    assertThat(janitors.writes()).as("it only reports").isEmpty();
    reporting.close();

    var report = janitors.start(true, false).prune();
    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(TestSessions.count(report, Status.GONE)).isEqualTo(expected.size());
    before.removeAll(expected);
    assertThat(cluster.names(cluster.sessions())).containsExactlyElementsOf(before);
    assertThat(janitors.writes()).hasSize(expected.size());
    assertThat(janitors.recorded())
        .as("one record each")
        .hasSize(expected.size())
        .allSatisfy(
            record -> {
              assertThat(record.path("result").asText()).isEqualTo("gone");
              assertThat(record.path("uid").asText()).hasSize(36);
              assertThat(record.path("ageSeconds").asLong()).isGreaterThan(7 * 24 * 3600);
            })
        .extracting(record -> record.path("object").asText())
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(name -> cluster.namespace() + "/" + name).toList());
    TestCluster.eventually(
        "each is counted once it is verified",
        () -> janitors.counter("deletions", "result", "gone") == expected.size());
  }

  @Test
  void eachRunIsLoggedInOneLineAndAsAnErrorIfALimitStopsIt() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var janitor = janitors.startWithLimit(1);
    var said = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(said, true, UTF_8));
    try {
      assertThat(janitor.prune().ending()).isEqualTo(Ending.STOPPED);
      IntStream.rangeClosed(1, 199)
          .forEach(i -> cluster.createSession("boa-" + i, "running", null));
      assertThat(janitor.prune().ending()).isEqualTo(Ending.DONE);
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(UTF_8).lines().filter(line -> line.contains("prune")).toList())
        .satisfiesExactly(
            line -> assertThat(line).contains("ERROR").contains("stopped: of 1 sessions"),
            line -> assertThat(line).contains("INFO").contains("done: of 200 sessions"));
  }

  @Test
  void theSessionsAreShownBeforeTheFirstRun() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var _ = janitors.start(true, false).checkOperator(TestJanitors.OPERATOR);

    TestCluster.eventually("it is counted", () -> janitors.gauges("sessions") == 1);
    assertThat(janitors.counter("prune.runs", "ending", "done")).isZero();
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
  }

  @Promise(value = "Only one janitor acts.", breaks = "Starting a task without the Lease.")
  @Test
  void onlyTheLeaderActsAndItGivesTheLeaseUpWhenItEnds() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var leader = janitors.start(true, false);
    var other =
        janitors.startWithoutWaiting(
            true, false, cluster.clientNamed(janitors.agent() + "-other"), CLOCK);
    assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(other::prune);
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
    assertThat(leaseHolder()).isNotEmpty();

    leader.close();
    assertThatExceptionOfType(KubernetesClientException.class)
        .as("it has ended")
        .isThrownBy(leader::prune);
    var ended = System.nanoTime();
    TestCluster.eventually("the other one leads", other::isLeader);
    assertThat(Duration.ofNanos(System.nanoTime() - ended))
        .as("long before 15 s")
        .isLessThan(Duration.ofSeconds(10));
    assertThat(TestSessions.count(other.prune(), Status.GONE)).isEqualTo(1);
    other.close();
    assertThat(leaseHolder()).isEmpty();
    assertThat(cluster.names(leases())).containsExactly("shipshape-janitor");
  }

  @Test
  void whatTheApiServerRefusesIsCountedAsFailedAndNothingIsDone() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    grantTheLease("powerless");
    var janitor = janitors.startWithoutWaiting(true, true, cluster.clientOf("powerless"), CLOCK);
    TestCluster.eventually("it leads", janitor::isLeader);

    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(janitor::prune)
        .withMessageContaining("403")
        .withMessageContaining("cfsessions");
    var report = janitor.checkOperator(TestJanitors.OPERATOR);

    assertThat(janitors.counter("prune.runs", "ending", "failed")).isEqualTo(1);
    assertThat(janitors.counter("prune.blocked", "reason", "unlisted")).isEqualTo(1);
    assertThat(report.diagnosis()).isEqualTo(Diagnosis.Kind.UNREADABLE);
    assertThat(report.detail()).contains("403");
    assertThat(janitors.counter("operator.checks", "diagnosis", "unreadable")).isEqualTo(1);
    assertThat(cluster.names(cluster.sessions())).containsExactly(batcher(1));
  }

  private void grantTheLease(String account) {
    var rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + cluster.namespace();
    cluster.create(
        rbac + "/roles",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
         "metadata": {"name": "lease"}, "rules": [
          {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
           "verbs": ["get", "create", "update", "patch"]}]}
        """);
    cluster.create(
        rbac + "/rolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
         "metadata": {"name": "lease"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "lease"},
         "subjects": [{"kind": "ServiceAccount", "name": "%s", "namespace": "%s"}]}
        """
            .formatted(account, cluster.namespace()));
  }

  @Test
  void aRunAndACheckThatRunOutOfMemoryFailAndTheNextOnesGoOn() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    cluster.createOperator();
    Files.createFile(folder.resolve(TestJanitors.OPERATOR + ".log"));
    var ran = new AtomicBoolean();
    var examined = new AtomicBoolean();
    InstantSource clock =
        () -> {
          if (isCalledBy("Planner", "plan")
              && isCalledBy("PruneJob", "run")
              && !ran.getAndSet(true)) {
            throw new OutOfMemoryError("in a run");
          }
          if (isCalledBy("OperatorMonitor", "evaluate") && !examined.getAndSet(true)) {
            throw new OutOfMemoryError("in a check");
          }
          return CLOCK.instant();
        };
    janitors.startEverySecond(clock);

    TestCluster.eventually("a later run prunes", () -> cluster.names(cluster.sessions()).isEmpty());
    TestCluster.eventually(
        "a later check looks",
        () -> janitors.counter("operator.checks", "diagnosis", "healthy") >= 1);
    assertThat(janitors.counter("prune.runs", "ending", "failed")).isEqualTo(1);
    assertThat(janitors.counter("operator.checks", "diagnosis", "unreadable")).isEqualTo(1);
  }

  private static boolean isCalledBy(String type, String method) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().endsWith("." + type)
                            && frame.getMethodName().startsWith(method)));
  }

  /** Some of every kind; returns the names of those that must go. */
  private Set<String> createTwoHundredSessions() {
    var random = new Random(20261121);
    var states = List.of("complete", "complete", "complete", "running", "pending", "Complete");
    var expected = new TreeSet<String>();
    for (var i = 0; i < 200; i++) {
      var state = states.get(random.nextInt(states.size()));
      var name = random.nextInt(4) == 0 ? "boa-" + batcher(i).substring(8) : batcher(i);
      var days = random.nextInt(14);
      var keep = random.nextInt(8) == 0;
      cluster.createSession(
          name,
          state,
          CLOCK.instant().minus(Duration.ofDays(days)).minusSeconds(60).toString(),
          resource ->
              ((ObjectNode) resource.path("metadata"))
                  .putObject("annotations")
                  .put("shipshape.dev/keep", keep ? "true" : "false"));
      if (name.startsWith("batcher-") && state.equals("complete") && days >= 7 && !keep) {
        expected.add(name);
      }
    }
    cluster.createSession(batcher(999), "complete", "0001-01-01T00:00:00Z");
    assertThat(expected).as("a test that means something").hasSizeBetween(20, 80);
    return expected;
  }

  private String leaseHolder() {
    return cluster.get(leases() + "/shipshape-janitor").at("/spec/holderIdentity").asText("");
  }

  private String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + cluster.namespace() + "/leases";
  }
}
