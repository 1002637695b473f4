package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.session.DeleteResult;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.FakeCfs;
import dev.shipshape.janitor.session.RestEndpoint;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.RestStore;
import dev.shipshape.janitor.session.RestVersion;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions of the CFS service, whose Jobs and pods are on a real control plane. */
@ExtendWith(ControlPlaneExtension.class)
class RestSessionJobsTest {
  private static final String STARTED = "2025-12-31T23:00:00";
  private static final String SESSION = batcher(1);
  private static final String JOB = TestJobs.name(1);
  private static final String DELETE = "DELETE /v3/sessions/" + SESSION;
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final List<String> records = new CopyOnWriteArrayList<>();
  private TestCluster cluster;
  private TestJobs jobs;
  private FakeCfs cfs;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("rest"));
    jobs = new TestJobs(cluster);
    cfs = FakeCfs.start("v3");
    cfs.put(SESSION, "complete", STARTED, "2026-01-01T00:00:00", JOB);
  }

  @AfterEach
  void close() {
    cfs.close();
    cluster.close();
  }

  @Test
  void aDeletionEndsWhenTheJobThatTheOperatorDeletesIsGoneWithItsPods() {
    jobs.create(JOB, SESSION, true);
    var uid = cluster.get(jobs.path(JOB)).at("/metadata/uid").asText();
    cfs.before(DELETE::equals, () -> cluster.delete(jobs.path(JOB), uid));
    assertThat(outcome(LONG)).isEqualTo(new DeleteResult(Status.GONE));
    assertThat(cfs.names()).isEmpty();
    assertThat(cluster.names(jobs.path())).isEmpty();
    assertThat(cluster.names(cluster.path("pods"))).as("by the garbage collector").isEmpty();
  }

  @Test
  void aJobThatTheOperatorLeakedIsReportedAndLeft() {
    jobs.create(JOB, SESSION, true);
    assertThat(outcome(SHORT))
        .satisfies(remaining -> assertThat(remaining.detail()).contains("job " + JOB));
    assertThat(cfs.names()).isEmpty();
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  private DeleteResult outcome(Duration deadline) {
    var pruner = pruner(TestSessions.POLICY);
    var report = pruner.verify(pruner.run(true), deadline);
    assertThat(report.deletions()).hasSize(1);
    return report.deletions().getFirst().result();
  }

  private Pruner pruner(Policy policy) {
    var service = new RestService(new RestEndpoint(cfs.address(), null, null));
    return TestSessions.pruner(
        new RestStore(service, RestVersion.V3, cluster.namespace()),
        cluster.client(),
        cluster.namespace(),
        policy,
        TestSessions.audit(records),
        new CancellationToken(() -> true));
  }
}
