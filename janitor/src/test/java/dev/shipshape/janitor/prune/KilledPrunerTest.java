package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.janitor.session.CustomResourceSessions;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed with SIGKILL at every step of a run, on a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class KilledPrunerTest {
  private static final int KILLED = 128 + 9;
  private static final String AGED = "2026-01-01T00:00:00Z";

  @TempDir Path folder;

  @Test
  void atWhicheverStepItIsKilledEachDeletionIsDoneOnceAndRecordedOnce(
      ControlPlane controlPlane, UniqueNames names) throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("killed"))) {
      var step = 1;
      while (isKilledAt(step, controlPlane, cluster)) {
        step++;
      }
      assertThat(step).as("a list, two deletions, a wait and two records").isEqualTo(17);
    }
  }

  private boolean isKilledAt(int step, ControlPlane controlPlane, TestCluster cluster)
      throws Exception {
    var records = Files.createDirectory(folder.resolve("step-" + step)).resolve("records");
    var uids =
        List.of(create(cluster, TestSessions.batcher(1)), create(cluster, TestSessions.batcher(2)));
    var process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MortalPruner.class.getName(),
                controlPlane.kubeconfig().toString(),
                cluster.namespace(),
                records.toString(),
                String.valueOf(step))
            .inheritIO()
            .start();
    assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("step %d", step).isIn(0, KILLED);

    runAgain(cluster, records);
    assertThat(cluster.names(cluster.sessions())).as("step %d", step).isEmpty();
    assertThat(recordedUids(records)).as("step %d", step).containsExactlyInAnyOrderElementsOf(uids);
    return process.exitValue() == KILLED;
  }

  private static void runAgain(TestCluster cluster, Path records) {
    try (var journal = MortalPruner.journal(records)) {
      var api = new KubernetesApi(cluster.clientNamed("again"));
      var stop = new StopSignal(() -> true);
      var sessions = new CustomResourceSessions(api, cluster.namespace(), stop);
      MortalPruner.pruner(sessions, journal).run(true, TestSessions.WAIT);
      assertThat(journal.unfinished()).isEmpty();
    }
  }

  private static String create(TestCluster cluster, String name) {
    return cluster.createSession(name, "complete", AGED).at("/metadata/uid").asText();
  }

  private static List<String> recordedUids(Path records) throws IOException {
    return Files.readAllLines(records).stream()
        .map(TestCluster::json)
        .filter(record -> record.path("result").asText().equals("gone"))
        .map(record -> record.path("uid").asText())
        .toList();
  }
}
