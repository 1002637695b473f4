package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.event.KubernetesEvents;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.prune.Outcome;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.SettingsReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class PruneRunsTest {
  private final StopSignal stop = new StopSignal(() -> true);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** It may yet come to delete nothing, and the restart would go unpruned. */
  @Test
  void noRestartGoesBeforeARunThatStillLists(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      cluster.createSession(TestSessions.batcher(1), "complete", "2026-01-01T00:00:00Z");
      var api = new KubernetesApi(client);
      var runs = runs(cluster.namespace(), api, events(api));
      var released = new CountDownLatch(1);
      faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
      var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> lists(faulty));

      assertThatExceptionOfType(ApiFailure.class)
          .isThrownBy(() -> runs.beforeRestart(Duration.ofSeconds(1)));

      released.countDown();
      assertThat(running.get(60, TimeUnit.SECONDS).count(Outcome.Gone.class)).isEqualTo(1);
      assertThat(runs.beforeRestart(Duration.ofSeconds(30))).isPresent();
    }
  }

  @Test
  void aRunThatIsToldToEndWhileItListsIsInterruptedAndNoFailure(
      ControlPlane controlPlane, UniqueNames names) throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("runs"));
        var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      var api = new KubernetesApi(client);
      var events = events(api);
      var runs = runs(cluster.namespace(), api, events);
      var released = new CountDownLatch(1);
      faulty.once(request -> request.contains("cfsessions?limit="), faulty.heldUntil(released));
      var running = CompletableFuture.supplyAsync(runs::run, Thread.ofVirtual()::start);
      TestCluster.eventually("it lists", () -> lists(faulty));

      stop.stop();
      assertThat(running).failsWithin(Duration.ofSeconds(60));
      released.countDown();
      events.close();
      assertThat(counter("prune.runs", "ending", "interrupted")).isEqualTo(1);
      assertThat(counter("prune.runs", "ending", "failed")).isZero();
      assertThat(counter("prune.blocked", "reason", "unlisted")).isZero();
      assertThat(faulty.requests("POST ")).as("no Event").isEmpty();
    }
  }

  private static KubernetesEvents events(KubernetesApi api) {
    return new KubernetesEvents(api, "test", Clock.systemUTC(), System::nanoTime, _ -> {});
  }

  private static boolean lists(FaultyApi faulty) {
    return faulty.requests("GET ").stream()
        .anyMatch(request -> request.contains("cfsessions?limit="));
  }

  private double counter(String name, String tag, String value) {
    return registry.get("shipshape.janitor." + name).tag(tag, value).counter().count();
  }

  private PruneRuns runs(String namespace, KubernetesApi api, KubernetesEvents events)
      throws Exception {
    var settings =
        SettingsReader.parse(
            "janitor.yaml",
            """
            apiVersion: shipshape.dev/v1
            sessions: {namespace: %1$s}
            prune: {armed: true, clockTolerance: 1h}
            operator: {namespace: %1$s}
            """
                .formatted(namespace),
            JanitorSettings::from);
    var clock = Clock.systemUTC();
    var sessions = Pruning.sessions(settings, api, clock, stop);
    return new PruneRuns(
        settings.prune(),
        Pruning.pruner(settings, api, sessions, clock, (_, _) -> {}, stop),
        new JanitorMetrics(registry).prune(),
        new PruneEvents(events, api, settings.operator()),
        stop,
        clock);
  }
}
