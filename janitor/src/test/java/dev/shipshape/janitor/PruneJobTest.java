package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class PruneJobTest {
  private final CancellationToken stop = new CancellationToken(() -> true);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** It may yet come to delete nothing, and the restart would go unpruned. */
  @Test
  void aRestartWaitsForTheRunUnderWayAndThenPrunes(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      var runs = runs(cluster.namespace(), client, events(client));
      var released = new CountDownLatch(1);
      faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
      var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> lists(faulty));
      var before = CompletableFuture.runAsync(runs::runBeforeRestart, Thread.ofVirtual()::start);

      cluster.createSession(TestSessions.batcher(1), "complete", "2026-01-01T00:00:00Z");
      assertThat(before).isNotDone();
      released.countDown();
      running.get(60, TimeUnit.SECONDS);
      before.get(60, TimeUnit.SECONDS);
      assertThat(cluster.names(cluster.sessions())).isEmpty();
    }
  }

  /** Only the operator removes Jobs, and it may be the very one that a restart waits for. */
  @Test
  void neitherARunNorARestartIsHeldUpByJobsThatStay(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var client = cluster.clientNamed(names.name("agent"))) {
      var runs = runs(cluster.namespace(), client, events(client));
      for (var run : List.<Runnable>of(runs::run, runs::runBeforeRestart)) {
        var name = TestSessions.batcher(1);
        cluster.createSession(name, "complete", "2026-01-01T00:00:00Z");
        cluster.create(
            "/apis/batch/v1/namespaces/" + cluster.namespace() + "/jobs",
            """
            {"apiVersion": "batch/v1", "kind": "Job",
             "metadata": {"generateName": "stays-", "labels": {"cfsession": "%s"}},
             "spec": {"template": {"spec": {"restartPolicy": "Never",
              "containers": [{"name": "ansible", "image": "example.com/ansible"}]}}}}
            """
                .formatted(name));
        CompletableFuture.runAsync(run, Thread.ofVirtual()::start).get(60, TimeUnit.SECONDS);
        assertThat(cluster.names(cluster.sessions())).isEmpty();
      }
      stop.cancel();
      runs.close();
    }
  }

  @Test
  void aRunThatIsToldToEndWhileItListsIsInterruptedAndNoFailure(
      ControlPlane controlPlane, UniqueNames names) throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      var events = events(client);
      var runs = runs(cluster.namespace(), client, events);
      var released = new CountDownLatch(1);
      faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
      var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> lists(faulty));

      stop.cancel();
      released.countDown();
      assertThat(running.get(60, TimeUnit.SECONDS).ending()).isEqualTo(Ending.INTERRUPTED);
      assertThat(counter("prune.runs", "ending", "interrupted")).isEqualTo(1);
      assertThat(counter("prune.runs", "ending", "failed")).isZero();
      assertThat(counter("prune.blocked", "reason", "unlisted")).isZero();
      assertThat(faulty.requests("POST ")).as("no Event").isEmpty();
    }
  }

  /** As in the first run of a term, behind which the count of the sessions waits. */
  @Test
  void closingDoesNotKeepTheBackgroundFromEnding(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address());
        var log = new CapturedLog()) {
      var runs = runs(cluster.namespace(), client, events(client));
      var released = new CountDownLatch(1);
      faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
      var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> lists(faulty));
      stop.cancel();
      var closing = Thread.ofVirtual().start(runs::close);
      TestCluster.eventually("it closes", () -> closing.getState() == Thread.State.BLOCKED);

      runs.recordStatsAsync();
      released.countDown();
      running.get(60, TimeUnit.SECONDS);
      assertThat(closing.join(Duration.ofSeconds(60))).isTrue();
      assertThat(log.linesWith("stopped before")).isEmpty();
      assertThat(faulty.requests("GET "))
          .as("nothing is counted any more")
          .filteredOn(each -> each.contains("cfsessions?limit="))
          .hasSize(1);
    }
  }

  /** Half of a list must not be judged, and the replica holds the Lease until it has ended. */
  @Test
  void aRunThatIsToldToEndReadsNoFurtherPage(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      IntStream.rangeClosed(1, 101)
          .parallel()
          .forEach(i -> cluster.createSession(TestSessions.batcher(i), "running", null));
      var runs = runs(cluster.namespace(), client, events(client));
      faulty.once(request -> request.contains("continue="), faulty.after(stop::cancel));

      assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(runs::run);
      assertThat(faulty.requests("GET ")).filteredOn(each -> each.contains("continue=")).hasSize(1);
      assertThat(counter("prune.runs", "ending", "interrupted")).isEqualTo(1);
    }
  }

  @Test
  void aScheduledRunThatWaitedUntilABlackoutIsHeldBack(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      var now = new AtomicReference<>(Instant.parse("2026-11-21T21:45:00Z"));
      var runs = runs(cluster.namespace(), client, events(client), now::get);
      var released = new CountDownLatch(1);
      faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
      var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> lists(faulty));
      var scheduled = Thread.ofVirtual().start(runs::runScheduled);
      TestCluster.eventually("it waits", () -> scheduled.getState() == Thread.State.BLOCKED);

      now.set(Instant.parse("2026-11-21T22:10:00Z"));
      released.countDown();
      running.get(60, TimeUnit.SECONDS);
      assertThat(scheduled.join(Duration.ofSeconds(60))).isTrue();
      assertThat(counter("prune.blocked", "reason", "blackout")).isEqualTo(1);
    }
  }

  private static EventWriter events(KubernetesClient client) {
    return new EventWriter(
        client, new Workload(Workload.Kind.DEPLOYMENT, "default", "operator"), Clock.systemUTC());
  }

  private static boolean lists(FaultyApi faulty) {
    return faulty.requests("GET ").stream()
        .anyMatch(request -> request.contains("cfsessions?limit="));
  }

  private double counter(String name, String tag, String value) {
    return registry.get("shipshape.janitor." + name).tag(tag, value).counter().count();
  }

  private PruneJob runs(String namespace, KubernetesClient client, EventWriter events)
      throws Exception {
    return runs(namespace, client, events, Clock.systemUTC());
  }

  private PruneJob runs(
      String namespace, KubernetesClient client, EventWriter events, InstantSource clock)
      throws Exception {
    var settings =
        SettingsReader.parse(
            "janitor.yaml",
            """
            apiVersion: shipshape.dev/v1
            sessions: {namespace: %1$s, source: custom-resources}
            prune: {armed: true, clockTolerance: 1h, blackout: [{from: "22:00", to: "06:00"}]}
            """
                .formatted(namespace),
            JanitorSettings::from);
    var audit = new AuditLog(_ -> {}, clock);
    var sessions = settings.sessions(client);
    var metrics = new JanitorMetrics(registry, Optional::empty);
    return new PruneJob(
        settings.prune(),
        settings.pruner(client, sessions, null, clock, audit, stop),
        new Reporter(metrics, events, TestOperatorJob.publisher(client, namespace), clock),
        metrics,
        stop,
        clock);
  }
}
