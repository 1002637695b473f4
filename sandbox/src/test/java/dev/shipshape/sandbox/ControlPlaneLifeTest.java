package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start and stop, on control planes of its own. */
class ControlPlaneLifeTest {
  /** Those of the control plane that other tests share, maybe. */
  private final Set<ProcessHandle> before =
      ProcessHandle.current().descendants().collect(Collectors.toSet());

  @Test
  void twoRunSideBySideAndNothingOfThemStays() throws Exception {
    var starting = CompletableFuture.supplyAsync(ControlPlane::start);
    var first = ControlPlane.start();
    var second = starting.get();
    try (var asFirst = Requests.asAdmin(first);
        var asSecond = Requests.asAdmin(second)) {
      asFirst.create("/api/v1/namespaces", namespace("only-in-first"));

      assertThat(asFirst.get("/api/v1/namespaces/only-in-first").statusCode()).isEqualTo(200);
      assertThat(asSecond.get("/api/v1/namespaces/only-in-first").statusCode()).isEqualTo(404);
    } finally {
      first.close();
      second.close();
    }
    assertThat(first.state()).doesNotExist();
    assertThat(second.state()).doesNotExist();
    assertThat(ownProcesses()).isEmpty();
  }

  @Test
  void aProgramThatDiesIsNamedWithItsLastWords(@TempDir Path folder) throws Exception {
    var programs = Programs.find(System.getenv(), _ -> {});
    for (var name : Programs.NAMES) {
      script(folder.resolve(name), "exec '" + programs.path(name) + "' \"$@\"");
    }
    script(folder.resolve("kube-apiserver"), "echo no such luck >&2; exit 7");

    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> ControlPlane.start(new Programs(folder), _ -> {}))
        .withMessage("kube-apiserver ended with exit code 7. Its last lines:\nno such luck");
    assertThat(ownProcesses()).as("etcd was ended").isEmpty();
  }

  @Test
  void aProgramThatIsMissingIsNamedWithItsFolder(@TempDir Path folder) {
    assertThatExceptionOfType(SandboxException.class)
        .isThrownBy(() -> ControlPlane.start(new Programs(folder), _ -> {}))
        .withMessageStartingWith("etcd ended with exit code 127.")
        .withMessageContaining(folder.resolve("etcd").toString());
  }

  private Stream<ProcessHandle> ownProcesses() {
    return ProcessHandle.current().descendants().filter(process -> !before.contains(process));
  }

  private static void script(Path path, String line) throws Exception {
    Files.writeString(path, "#!/bin/sh\n" + line + "\n");
    assertThat(path.toFile().setExecutable(true)).isTrue();
  }

  private static String namespace(String name) {
    return "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name);
  }
}
