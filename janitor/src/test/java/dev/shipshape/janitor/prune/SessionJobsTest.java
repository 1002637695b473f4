package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class SessionJobsTest {
  private static final String SESSION = "batcher-00000001-0000-4000-8000-000000000001";
  private static final String JOB = "cfs-00000001-0000-4000-8000-000000000002";
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofSeconds(30);

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

  @Test
  void aDeletionEndsWhenItsJobAndPodsAreGoneByUid() throws Exception {
    jobs.create(JOB, SESSION, true);
    // Not on the common pool, which the HTTP client needs.
    var running =
        CompletableFuture.supplyAsync(
            () -> prune(false, LONG), task -> Thread.ofVirtual().start(task));
    TestCluster.eventually(
        "the session is gone", () -> cluster.names(cluster.sessions()).isEmpty());
    assertThat(running).as("its Job is still there").isNotDone();

    var job = cluster.get(jobs.path(JOB));
    cluster.delete(jobs.path(JOB), job.at("/metadata/uid").asText());
    assertThat(running.get()).isEqualTo(new DeleteResult(Status.GONE));
    assertThat(cluster.names(cluster.path("pods"))).isEmpty();
  }

  @Test
  void aJobThatTheOperatorLeakedIsReportedAndLeftUnlessArmed() {
    jobs.create(JOB, SESSION, true);
    assertThat(prune(false, SHORT))
        .satisfies(remaining -> assertThat(remaining.detail()).contains("job " + JOB));
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void aLeakedJobIsRemovedInBackgroundByUidWithItsPods() {
    jobs.create(JOB, SESSION, true);
    assertThat(prune(true, LONG)).isEqualTo(new DeleteResult(Status.GONE));
    assertThat(cluster.names(jobs.path())).isEmpty();
    assertThat(cluster.names(cluster.path("pods"))).isEmpty();
    assertThat(
            cluster.audited(
                agent,
                event ->
                    event.path("verb").asText().equals("delete")
                        && event.at("/objectRef/resource").asText().equals("jobs")))
        .singleElement()
        .satisfies(
            event -> {
              var options = event.path("requestObject");
              assertThat(options.path("propagationPolicy").asText()).isEqualTo("Background");
              assertThat(options.at("/preconditions/uid").asText()).hasSize(36);
            });
    assertThat(records)
        .filteredOn(line -> line.contains("\"event\":\"leaked-job-removal\""))
        .singleElement()
        .asString()
        .contains(
            "\"object\":\"job %s/%s\"".formatted(cluster.namespace(), JOB),
            SESSION,
            "\"result\":\"gone\"",
            "\"ageSeconds\":",
            "\"seconds\":");
  }

  @Test
  void aJobThatRunsIsLeft() {
    jobs.create(JOB, SESSION, false);
    assertThat(prune(true, SHORT)).extracting(DeleteResult::status).isEqualTo(Status.REMAINING);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void aJobThatALivingSessionNamesIsLeft() {
    jobs.create(JOB, SESSION, true);
    cluster.createSession(
        "boa-1",
        "running",
        null,
        resource -> ((ObjectNode) resource.at("/spec/status/session")).put("job", JOB));
    assertThat(prune(true, SHORT)).extracting(DeleteResult::status).isEqualTo(Status.REMAINING);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  /** Users can write a session's job: a Job that does not say itself whose it is stays. */
  @Test
  void aJobThatOnlyTheSessionClaimsIsLeft() {
    jobs.create(JOB, "another", true);
    assertThat(prune(true, SHORT)).extracting(DeleteResult::status).isEqualTo(Status.REMAINING);
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void aSessionThatSaysItIsPendingStaysWhileItsJobRuns() {
    for (var number : List.of(8, 9)) {
      cluster.createSession(
          TestSessions.batcher(number),
          "pending",
          null,
          session ->
              ((ObjectNode) session.at("/spec/status/session"))
                  .put("startTime", "2026-01-01T00:00:00Z"));
    }
    jobs.create(TestJobs.name(8), TestSessions.batcher(8), false);
    var plan = pruner(false, TestSessions.WITH_PENDING).plan();
    assertThat(plan.entries())
        .extracting(entry -> entry.session().name())
        .containsExactlyInAnyOrder(SESSION, TestSessions.batcher(9));
    assertThat(plan.stats().kept()).containsEntry(Verdict.Reason.JOB_ACTIVE, 1);
  }

  private DeleteResult prune(boolean leakedJobsArmed, Duration deadline) {
    var report = pruner(leakedJobsArmed, TestSessions.POLICY).run(true).awaitAll(deadline);
    assertThat(report.deletions()).hasSize(1);
    return report.deletions().getFirst().result();
  }

  private Pruner pruner(boolean leakedJobsArmed, Policy policy) {
    return TestSessions.pruner(
        new CustomResourceStore(client, cluster.namespace()),
        client,
        cluster.namespace(),
        policy,
        new LeakedJobPolicy(leakedJobsArmed, Duration.ofSeconds(1)),
        TestSessions.audit(records),
        new CancellationToken(() -> true));
  }
}
