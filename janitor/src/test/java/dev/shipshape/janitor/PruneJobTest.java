package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.RunReport.Ending;
import dev.shipshape.janitor.prune.TestJobs;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class PruneJobTest {
  private final CancellationToken stop = new CancellationToken(() -> true);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CountDownLatch released = new CountDownLatch(1);
  private TestCluster cluster;
  private FaultyApi faulty;
  private KubernetesClient client;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws Exception {
    cluster = new TestCluster(controlPlane, names.namespace("runs"));
    faulty = FaultyApi.start(controlPlane);
    client = TestCluster.clientAt(faulty.address());
  }

  @AfterEach
  void close() {
    client.close();
    faulty.close();
    cluster.close();
  }

  /** It may yet come to delete nothing, and the restart would go unpruned. */
  @Test
  void aRestartWaitsForTheRunUnderWayAndThenPrunes() throws Exception {
    var runs = runs(Clock.systemUTC());
    var running = startAndHold(runs);
    var before = CompletableFuture.runAsync(runs::runBeforeRestart, Thread.ofVirtual()::start);

    cluster.createSession(TestSessions.batcher(1), "complete", "2026-01-01T00:00:00Z");
    assertThat(before).isNotDone();
    released.countDown();
    running.get(60, TimeUnit.SECONDS);
    before.get(60, TimeUnit.SECONDS);
    assertThat(cluster.names(cluster.sessions())).isEmpty();
  }

  /** Only the operator removes Jobs, and it may be the very one that a restart waits for. */
  @Test
  void neitherARunNorARestartIsHeldUpByJobsThatStay() throws Exception {
    var runs = runs(Clock.systemUTC());
    var name = TestSessions.batcher(1);
    new TestJobs(cluster).create("stays", name, false);
    for (var run : List.<Runnable>of(runs::run, runs::runBeforeRestart)) {
      cluster.createSession(name, "complete", "2026-01-01T00:00:00Z");
      CompletableFuture.runAsync(run, Thread.ofVirtual()::start).get(60, TimeUnit.SECONDS);
      assertThat(cluster.names(cluster.sessions())).isEmpty();
    }
    stop.cancel();
    runs.close();
  }

  @Test
  void aRunThatIsToldToEndWhileItListsIsInterruptedAndNoFailure() throws Exception {
    var runs = runs(Clock.systemUTC());
    var running = startAndHold(runs);

    stop.cancel();
    released.countDown();
    assertThat(running.get(60, TimeUnit.SECONDS).ending()).isEqualTo(Ending.INTERRUPTED);
    assertThat(counter("prune.runs", "ending", "interrupted")).isEqualTo(1);
    assertThat(counter("prune.runs", "ending", "failed")).isZero();
    assertThat(counter("prune.blocked", "reason", "unlisted")).isZero();
    assertThat(faulty.requests("POST ")).as("no Event").isEmpty();
  }

  /** As at an ordinary end, or when another replica leads: nothing is known of it. */
  @Test
  void aSessionWhoseWaitIsCutShortCountsAsNoFailure() throws Exception {
    var name = TestSessions.batcher(1);
    cluster.createSession(
        name,
        "complete",
        "2026-01-01T00:00:00Z",
        session -> session.withObject("/metadata").putArray("finalizers").add("example.com/held"));
    var runs = runs(Clock.systemUTC());
    var _ = runs.run();

    stop.cancel();
    runs.close();
    assertThat(counter("deletions", "result", "remaining")).isZero();
    assertThat(
            registry.get("shipshape.janitor.prune.last.success.timestamp.seconds").gauge().value())
        .as("no success either")
        .isZero();
    assertThat(faulty.requests("POST ")).as("no Event").isEmpty();
    cluster.patch(cluster.sessions() + "/" + name, "{\"metadata\": {\"finalizers\": null}}");
  }

  /** As in the first run of a term, behind which the count of the sessions waits. */
  @Test
  void closingDoesNotKeepTheBackgroundFromEnding() throws Exception {
    try (var log = new CapturedLog()) {
      var runs = runs(Clock.systemUTC());
      var running = startAndHold(runs);
      stop.cancel();
      var closing = Thread.ofVirtual().start(runs::close);
      TestCluster.eventually("it closes", () -> closing.getState() == Thread.State.BLOCKED);

      runs.recordStatsAsync();
      released.countDown();
      running.get(60, TimeUnit.SECONDS);
      assertThat(closing.join(Duration.ofSeconds(60))).isTrue();
      assertThat(log.lines("stopped before")).isEmpty();
      assertThat(faulty.requests("GET "))
          .as("nothing is counted any more")
          .filteredOn(each -> each.contains("cfsessions?limit="))
          .hasSize(1);
    }
  }

  /** Half of a list must not be judged, and the replica holds the Lease until it has ended. */
  @Test
  void aRunThatIsToldToEndReadsNoFurtherPage() throws Exception {
    IntStream.rangeClosed(1, 101)
        .parallel()
        .forEach(i -> cluster.createSession(TestSessions.batcher(i), "running", null));
    var runs = runs(Clock.systemUTC());
    faulty.once(request -> request.contains("continue="), faulty.after(stop::cancel));

    assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(runs::run);
    assertThat(faulty.requests("GET ")).filteredOn(each -> each.contains("continue=")).hasSize(1);
    assertThat(counter("prune.runs", "ending", "interrupted")).isEqualTo(1);
  }

  @Test
  void aScheduledRunThatWaitedUntilABlackoutIsHeldBack() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-11-21T21:45:00Z"));
    var runs = runs(now::get);
    var running = startAndHold(runs);
    var scheduled = Thread.ofVirtual().start(runs::runScheduled);
    TestCluster.eventually("it waits", () -> scheduled.getState() == Thread.State.BLOCKED);

    now.set(Instant.parse("2026-11-21T22:10:00Z"));
    released.countDown();
    running.get(60, TimeUnit.SECONDS);
    assertThat(scheduled.join(Duration.ofSeconds(60))).isTrue();
    assertThat(counter("prune.blocked", "reason", "blackout")).isEqualTo(1);
  }

  /** A run whose list is held until it is released. */
  private CompletableFuture<RunReport> startAndHold(PruneJob runs) {
    faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
    var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
    TestCluster.eventually(
        "it lists",
        () ->
            faulty.requests("GET ").stream().anyMatch(each -> each.contains("cfsessions?limit=")));
    return running;
  }

  private double counter(String name, String tag, String value) {
    return registry.get("shipshape.janitor." + name).tag(tag, value).counter().count();
  }

  private PruneJob runs(InstantSource clock) throws Exception {
    var settings =
        SettingsReader.parse(
            "janitor.yaml",
            """
            apiVersion: shipshape.dev/v1
            sessions: {namespace: %1$s, source: custom-resources}
            prune: {armed: true, clockTolerance: 1h, blackout: [{from: "22:00", to: "06:00"}]}
            """
                .formatted(cluster.namespace()),
            JanitorSettings::from);
    var operator = new Workload(Workload.Kind.DEPLOYMENT, "default", "operator");
    var events = new EventWriter(client, operator, Clock.systemUTC());
    var publisher = TestOperatorJob.publisher(client, cluster.namespace());
    var audit = new AuditLog(_ -> {}, clock);
    var sessions = settings.sessions(client);
    var metrics = new JanitorMetrics(registry, Optional::empty);
    return new PruneJob(
        settings.prune(),
        settings.pruner(client, sessions, null, clock, audit, stop),
        new Reporter(metrics, events, publisher, clock),
        metrics,
        stop,
        clock);
  }
}
