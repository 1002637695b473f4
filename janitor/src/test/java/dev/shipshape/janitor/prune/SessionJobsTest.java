package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class SessionJobsTest {
  private static final String SESSION = "batcher-00000001-0000-4000-8000-000000000001";
  private static final String JOB = "cfs-00000001-0000-4000-8000-000000000002";
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CancellationToken stop = new CancellationToken(() -> true);
  private final List<String> records = new CopyOnWriteArrayList<>();
  private TestCluster cluster;
  private KubernetesClient client;
  private TestJobs jobs;
  private String agent;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("workloads"));
    agent = names.name("agent");
    client = cluster.clientNamed(agent);
    cluster.createSession(
        SESSION,
        "complete",
        "2026-01-01T00:00:00Z",
        resource -> ((ObjectNode) resource.at("/spec/status/session")).put("job", JOB));
    jobs = new TestJobs(cluster);
  }

  @AfterEach
  void close() {
    client.close();
    cluster.close();
  }

  @Promise(
      value = "A session counts as gone when its Job and pods are gone.",
      breaks = "Waiting only for the session.")
  @Test
  void aDeletionEndsWhenItsJobAndPodsAreGone() throws Exception {
    jobs.create(JOB, SESSION, true);
    // Not on the common pool, which the HTTP client needs.
    var running =
        CompletableFuture.supplyAsync(() -> prune(LONG), task -> Thread.ofVirtual().start(task));
    TestCluster.eventually(
        "the session is gone", () -> cluster.names(cluster.sessions()).isEmpty());
    assertThat(running).as("its Job is still there").isNotDone();

    var job = cluster.get(jobs.path(JOB));
    cluster.delete(jobs.path(JOB), job.at("/metadata/uid").asText());
    assertThat(running.get()).isEqualTo(new DeleteResult(Status.GONE));
    assertThat(cluster.names(cluster.path("pods"))).isEmpty();
  }

  @Test
  void aJobThatTheOperatorLeakedIsReportedAndLeft() {
    jobs.create(JOB, SESSION, true);
    var result = prune(SHORT);
    assertThat(result.status()).isEqualTo(Status.REMAINING);
    assertThat(result.detail()).contains("job " + JOB, "not marked for deletion");
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
    assertThat(
            cluster.audited(
                agent,
                event ->
                    event.path("verb").asText().equals("delete")
                        && event.at("/objectRef/resource").asText().equals("jobs")))
        .isEmpty();
  }

  /** Every wait polls, and an operator that is stuck leaves thousands of them. */
  @Test
  void manyJobsAreReadInFewRequests() {
    IntStream.range(0, 12).forEach(number -> jobs.create("cfs-other-" + number, SESSION, false));

    assertThat(prune(SHORT).detail()).contains("job cfs-other-11");

    assertThat(cluster.audited(agent, event -> event.path("verb").asText().equals("list")))
        .extracting(event -> event.path("requestURI").asText())
        .filteredOn(uri -> uri.contains("/jobs") || uri.contains("/pods"))
        .isNotEmpty()
        .allMatch(uri -> uri.contains("limit=50") && !uri.contains("continue="));
  }

  /** The operator may be deleting it at that moment. */
  @Test
  void aJobWhoseWaitIsCutShortDoesNotMakeItsRunBad() {
    jobs.create(JOB, SESSION, true);
    var pruner = pruner();
    var sent = pruner.run(true);
    stop.cancel();
    assertThat(pruner.verify(sent, LONG))
        .returns(true, RunReport::isGood)
        .returns(Map.of("gone", 1), RunReport::results);
  }

  /** By name alone: a Job of the older operator has no label. */
  @Test
  void aJobThatAFinalizerHoldsIsReportedWithIt() {
    jobs.create(JOB, "another", true);
    jobs.hold(JOB);
    cluster.client().raw(jobs.path(JOB) + "?propagationPolicy=Background", "DELETE", null);
    assertThat(prune(SHORT).detail()).contains("job " + JOB, "finalizers [example.com/held]");
    jobs.release(JOB);
  }

  private DeleteResult prune(Duration deadline) {
    var pruner = pruner();
    var report = pruner.verify(pruner.run(true), deadline);
    assertThat(report.deletions()).hasSize(1);
    return report.deletions().getFirst().result();
  }

  private Pruner pruner() {
    return TestSessions.pruner(
        client,
        cluster.namespace(),
        TestSessions.POLICY,
        TestSessions.FAST,
        TestSessions.audit(records),
        stop);
  }
}
