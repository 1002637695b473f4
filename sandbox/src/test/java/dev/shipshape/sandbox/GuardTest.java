package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardTest {
  @TempDir private Path folder;

  @Test
  void nothingIsLeftOfAControlPlaneWhoseJavaProcessWasKilled() throws Exception {
    var log = folder.resolve("output");
    var child =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                StartedControlPlane.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Eventually.holds(
        "it is ready", () -> Files.readString(log).contains(StartedControlPlane.READY));
    var started = child.descendants().toList();
    assertThat(started.stream().flatMap(process -> process.info().command().stream()))
        .as("what runs below the child")
        .anyMatch(command -> command.endsWith("/etcd"))
        .anyMatch(command -> command.endsWith("/kube-apiserver"))
        .anyMatch(command -> command.endsWith("/kube-controller-manager"));

    child.destroyForcibly();
    assertThat(child.waitFor()).as("128 and SIGKILL").isEqualTo(137);

    Eventually.holds("they end", () -> started.stream().noneMatch(GuardTest::runs));
  }

  @Test
  void aProgramThatIgnoresTermIsKilled() throws Exception {
    var log = folder.resolve("log");
    var process = start("trap '' TERM; echo deaf; while :; do sleep 1; done", log);
    process.awaitReady(() -> read(log).contains("deaf"), Duration.ofSeconds(10));
    var started =
        ProcessHandle.current()
            .descendants()
            .filter(handle -> handle.info().arguments().map(List::of).toString().contains("deaf"))
            .collect(Collectors.toSet());
    assertThat(started).isNotEmpty();

    process.close();

    Eventually.holds("they end", () -> started.stream().noneMatch(GuardTest::runs));
  }

  private GuardedProcess start(String script, Path log) {
    return GuardedProcess.start(List.of("sh", "-c", script), folder, Map.of(), log);
  }

  /** Whether it still runs; where nobody reaps orphans, a dead one stays as a zombie. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && !read(Path.of("/proc/" + process.pid() + "/stat")).contains(") Z ");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException gone) {
      return "";
    }
  }
}
