package dev.shipshape.janitor.prune;

import static dev.shipshape.janitor.prune.TestSessions.batcher;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
      while (isKilledAt(step, 1, 2, controlPlane, cluster)) {
        step++;
      }
      assertThat(step).as("a list, two deletions and two records").isEqualTo(16);
    }
  }

  /** In whichever order the workers come to the steps, so that not each is tried. */
  @Test
  void asWellWhereSeveralWorkersDelete(ControlPlane controlPlane, UniqueNames names)
      throws Exception {
    try (var cluster = new TestCluster(controlPlane, names.namespace("killed"))) {
      var step = 1;
      while (isKilledAt(step, 3, 3, controlPlane, cluster)) {
        step += 3;
      }
      assertThat(step).as("a list, three deletions and three records").isEqualTo(22);
    }
  }

  private boolean isKilledAt(
      int step, int workers, int number, ControlPlane controlPlane, TestCluster cluster)
      throws Exception {
    var records = Files.createDirectory(folder.resolve("step-" + step)).resolve("records");
    var uids = IntStream.rangeClosed(1, number).mapToObj(i -> create(cluster, batcher(i))).toList();
    var ended = run(step, workers, records, controlPlane, cluster);
    assertNextOneRecordsEachOnce(step, cluster, records, uids);
    return ended == KILLED;
  }

  private void assertNextOneRecordsEachOnce(
      int step, TestCluster cluster, Path records, List<String> uids) throws Exception {
    runAgain(cluster, records);
    assertThat(cluster.names(cluster.sessions())).as("step %d", step).isEmpty();
    assertThat(recorded(records, "gone"))
        .as("step %d", step)
        .containsExactlyInAnyOrderElementsOf(uids);
  }

  /** How the process ended. */
  private static int run(
      int step, int workers, Path records, ControlPlane controlPlane, TestCluster cluster)
      throws Exception {
    return end(step, start(step, workers, records, controlPlane, cluster));
  }

  private static int end(int step, Process process) throws InterruptedException {
    assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("step %d", step).isIn(0, KILLED);
    return process.exitValue();
  }

  private static Process start(
      int step, int workers, Path records, ControlPlane controlPlane, TestCluster cluster)
      throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            MortalPruner.class.getName(),
            controlPlane.kubeconfig().toString(),
            cluster.namespace(),
            records.toString(),
            String.valueOf(step),
            String.valueOf(workers))
        .inheritIO()
        .start();
  }

  private static void runAgain(TestCluster cluster, Path records) {
    try (var audit = TestSessions.audit(records, _ -> {})) {
      var client = cluster.clientNamed("again");
      var sessions = new CustomResourceStore(client, cluster.namespace());
      var namespace = cluster.namespace();
      MortalPruner.pruner(sessions, client, namespace, 1, audit, Clock.systemUTC()).run(true);
      assertThat(audit.unfinished()).isEmpty();
    }
  }

  private static String create(TestCluster cluster, String name) {
    return cluster.createSession(name, "complete", AGED).at("/metadata/uid").asText();
  }

  private static List<String> recorded(Path records, String result) {
    return read(records)
        .lines()
        .map(TestCluster::json)
        .filter(record -> record.path("result").asText().equals(result))
        .map(record -> record.path("uid").asText())
        .toList();
  }

  private static String read(Path records) {
    try {
      return Files.exists(records) ? Files.readString(records) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
