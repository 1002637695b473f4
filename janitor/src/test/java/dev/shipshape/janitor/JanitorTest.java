package dev.shipshape.janitor;

import static dev.shipshape.janitor.TestJanitors.CLOCK;
import static dev.shipshape.janitor.TestJanitors.daysAgo;
import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.Promise;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class JanitorTest extends WithJanitors {
  @Test
  void anAgedSessionGoesWithOneRequestAndIsRecordedAndCounted() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(8));
    cluster.createSession(batcher(2), "complete", daysAgo(6));
    cluster.createSession(
        batcher(3),
        "complete",
        daysAgo(8),
        session -> session.withObject("/metadata/annotations").put("shipshape.dev/keep", "true"));

    var reporting = janitors.start(false, false);
    var reported = reporting.prune();
    assertThat(reported.ending()).isEqualTo(Ending.REPORTED);
    assertThat(reported.deletions())
        .extracting(planned -> planned.session().name())
        .containsExactly(batcher(1));
    assertThat(cluster.names(cluster.sessions())).hasSize(3);
    assertThat(janitors.writes()).as("it only reports").isEmpty();
    reporting.close();

    var report = janitors.start(true, false).prune();
    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(TestSessions.count(report, Status.GONE)).isEqualTo(1);
    assertThat(cluster.names(cluster.sessions())).containsExactlyInAnyOrder(batcher(2), batcher(3));
    assertThat(janitors.writes()).hasSize(1);
    assertThat(janitors.recorded())
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.path("result").asText()).isEqualTo("gone");
              assertThat(record.path("uid").asText()).hasSize(36);
              assertThat(record.path("ageSeconds").asLong()).isGreaterThan(7 * 24 * 3600);
              assertThat(record.path("object").asText())
                  .isEqualTo(cluster.namespace() + "/" + batcher(1));
            });
    TestCluster.eventually(
        "it is counted once it is verified",
        () -> janitors.counter("deletions", "result", "gone") == 1);
  }

  @Test
  void eachRunIsLoggedInOneLineAndAsAnErrorIfALimitStopsIt() throws Exception {
    cluster.createSession(batcher(1), "complete", daysAgo(30));
    var janitor = janitors.startWithLimit(50);
    try (var log = new CapturedLog()) {
      assertThat(janitor.prune().ending()).isEqualTo(Ending.STOPPED);
      cluster.createSession("boa-1", "running", null);
      cluster.createSession("boa-2", "running", null);
      assertThat(janitor.prune().ending()).isEqualTo(Ending.DONE);
      assertThat(log.lines("prune"))
          .satisfiesExactly(
              line -> assertThat(line).contains("ERROR").contains("stopped: of 1 sessions"),
              line -> assertThat(line).contains("INFO").contains("done: of 3 sessions"));
    }
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
    var _ = janitors.startEverySecond("workers: 2", cluster.clientNamed(janitors.agent()), clock);

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

  private String leaseHolder() {
    return cluster.get(leases() + "/shipshape-janitor").at("/spec/holderIdentity").asText("");
  }

  private String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + cluster.namespace() + "/leases";
  }
}
