package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.BearerToken;
import dev.shipshape.janitor.session.DetectedSessions;
import dev.shipshape.janitor.session.FakeCfs;
import dev.shipshape.janitor.session.RestConnection;
import dev.shipshape.janitor.session.RestService;
import dev.shipshape.janitor.session.Source;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An older CFS has left a custom resource behind; the sessions live in the CFS service. */
@ExtendWith(ControlPlaneExtension.class)
class TwoWorldsTest {
  private static final String JOB = TestJobs.name(1);

  private TestCluster cluster;
  private TestJobs jobs;
  private FakeCfs cfs;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("worlds"));
    jobs = new TestJobs(cluster);
    cfs = FakeCfs.start("v2", "v3");
    cluster.createSession(TestSessions.batcher(9), "running", null);
    cfs.put("living", "complete", "2026-01-01T00:00:00", "2026-01-01T01:00:00", JOB);
    jobs.create(JOB, "living", true);
    jobs.create(TestJobs.name(2), TestSessions.batcher(2), true);
  }

  @AfterEach
  void close() {
    cfs.close();
    cluster.close();
  }

  @Test
  void aJobOfASessionThatLivesInEitherIsLeft() {
    var pruner = pruner(true);
    TestCluster.eventually(
        "the other Job is removed",
        () -> {
          pruner.run(true, new Wait(false, Duration.ofSeconds(20)));
          return !cluster.names(jobs.path()).contains(TestJobs.name(2));
        });
    assertThat(cluster.names(jobs.path())).containsExactly(JOB);
  }

  @Test
  void whereTheServiceFailsAllJobsAreLeft() {
    cfs.always(request -> request.startsWith("GET /v3/"), 500, "");
    var pruner = pruner(true);
    for (var run = 0; run < 2; run++) {
      pruner.run(true, new Wait(false, Duration.ofSeconds(20)));
    }
    assertThat(cfs.requests).isNotEmpty();
    assertThat(cluster.names(jobs.path())).hasSize(2);
  }

  /** A gateway answers so while it has no way to the service. */
  @Test
  void whereAGatewaySaysThatThereIsNoServiceAllJobsAreLeft() {
    cfs.always(_ -> true, 404, "");
    theJobStays(pruner(true));
    assertThat(cluster.names(jobs.path())).hasSize(2);
  }

  @Test
  void whereTheServiceHasAnsweredBeforeNothingMakesItAbsent() {
    var pruner = pruner(true);
    theJobStays(pruner);
    for (var body : List.of("", FakeCfs.NO_SERVICE)) {
      cfs.always(_ -> true, 404, body);
      theJobStays(pruner);
      cfs.heal();
    }
  }

  private void theJobStays(Pruner pruner) {
    for (var run = 0; run < 2; run++) {
      pruner.run(true, new Wait(false, Duration.ofSeconds(20)));
    }
    assertThat(cluster.names(jobs.path())).contains(JOB);
  }

  @Test
  void theServiceIsNotAskedWhereNoJobCouldGo() {
    for (var job : cluster.names(jobs.path())) {
      cluster.delete(jobs.path(job), cluster.get(jobs.path(job)).at("/metadata/uid").asText());
    }
    pruner(true).run(true, new Wait(false, Duration.ofSeconds(20)));
    assertThat(cfs.requests).isEmpty();
  }

  private Pruner pruner(boolean leakedJobsArmed) {
    var stop = new StopSignal(() -> true);
    var api = cluster.api();
    return Pruner.of(
        sessions(api, stop),
        api,
        cluster.namespace(),
        new LeakedJobPolicy(leakedJobsArmed, Duration.ZERO),
        TestSessions.RULES,
        new Limits(0, 2000, null, Duration.ofHours(1)),
        new Pace(4, 1000),
        (_, _) -> {},
        stop,
        Clock.systemUTC());
  }

  private DetectedSessions sessions(KubernetesApi api, StopSignal stop) {
    var service = new RestService(RestConnection.open(null), cfs.address(), BearerToken.NONE);
    return new DetectedSessions(api, service, Source.AUTO, cluster.namespace(), stop);
  }
}
