package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
  private static final KubernetesRelease NO_RELEASE = new KubernetesRelease("1", List.of());
  private static final GoBuild NO_GO = new GoBuild("2.0", "no-such-go");

  @TempDir private Path folder;
  private Path first;
  private Path second;
  private final List<String> steps = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void folders() throws Exception {
    first = put(folder.resolve("first"));
    second = put(folder.resolve("second"));
  }

  @Test
  void ourFolderComesBeforeTheOneThatOthersShareAndThatBeforeTheCache() throws Exception {
    var cached = put(folder.resolve("cache/v2.0"));

    assertThat(find(Map.of("SHIPSHAPE_KUBE_BIN", "" + first, "KUBEBUILDER_ASSETS", "" + second)))
        .isEqualTo(first);
    assertThat(find(Map.of("KUBEBUILDER_ASSETS", "" + second))).isEqualTo(second);
    assertThat(find(Map.of("SHIPSHAPE_KUBE_BIN", "")))
        .as("an empty variable names nothing")
        .isEqualTo(cached);
  }

  @Test
  void aNamedFolderThatLacksAProgramIsAnErrorThatNamesBoth() throws Exception {
    put(folder.resolve("cache/v1"));
    Files.delete(first.resolve("kube-apiserver"));

    assertThatThrownBy(() -> find(Map.of("SHIPSHAPE_KUBE_BIN", "" + first)))
        .isInstanceOf(SandboxException.class)
        .hasMessage(
            "SHIPSHAPE_KUBE_BIN names %s, where kube-apiserver is missing: add it, or name another"
                + " folder, or none",
            first);
  }

  @Test
  void theReleaseIsDownloadedOnceAndRunsFromTheCache() throws Exception {
    try (var server = ReleaseServer.start(folder, first, 0)) {
      var programs = cache(server.release()).find(steps::add);

      assertThat(cache(server.release()).find(steps::add)).isEqualTo(programs);
      assertThat(server.requests()).isEqualTo(1);
      var etcd = new ProcessBuilder(programs.path(Component.ETCD)).start();
      assertThat(etcd.inputReader().readLine()).isEqualTo("etcd runs");
      assertThat(cacheContent())
          .containsExactly(
              "lock", "v1", "v1/etcd", "v1/kube-apiserver", "v1/kube-controller-manager");
    }
  }

  @Test
  void anArchiveWithAnotherChecksumIsRefusedAndNothingOfItStays() throws Exception {
    try (var server = ReleaseServer.start(folder, first, 0)) {
      assertThatThrownBy(() -> cache(server.release("0".repeat(64))).find(steps::add))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("is not what was released")
          .hasMessageContaining("SHA-256");
      assertThat(cacheContent()).containsExactly("lock");
    }
  }

  @Test
  void aDownloadThatBreaksOffAndWhatAKilledProcessLeftGiveNoHalfProgram() throws Exception {
    put(folder.resolve("cache/incomplete"));
    try (var server = ReleaseServer.start(folder, first, 1000)) {
      assertThatThrownBy(() -> cache(server.release()).find(steps::add))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("could not download http://127.0.0.1:");
      assertThat(cacheContent()).containsExactly("lock");
    }
  }

  @Test
  void whereNothingWorksTheMessageSaysWhatWasTriedAndHowToFixIt() throws Exception {
    try (var server = ReleaseServer.start(folder, first, 0)) {
      Files.delete(folder.resolve("packed.tar.gz"));
      var cache = cache(server.release("0"));

      assertThatThrownBy(() -> cache.find(steps::add))
          .isInstanceOf(SandboxException.class)
          .hasMessageStartingWith(
              """
              there are no Kubernetes programs. Tried:
              - a named folder: SHIPSHAPE_KUBE_BIN and KUBEBUILDER_ASSETS are not set
              - the cache: not all are in %s
              - the official release 1: http://127.0.0.1:\
              """
                  .formatted(cache.root()))
          .hasMessageContaining("- a build of 2.0 with Go: no-such-go ended with exit code 127")
          .hasMessageContaining("Do one of these: let SHIPSHAPE_KUBE_BIN name a folder");
    }
  }

  @Test
  void aSecondProcessWaitsForTheFirstAndUsesWhatItGot() throws Exception {
    var output = folder.resolve("output");
    var other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                LockingProcess.class.getName(),
                folder.resolve("cache").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Eventually.holds(() -> Files.readString(output).contains(LockingProcess.STARTED));

    var search = CompletableFuture.supplyAsync(() -> cache(NO_RELEASE).find(steps::add));
    Eventually.holds(
        () ->
            steps.contains("waiting for another process that is getting the Kubernetes programs"));
    assertThat(search).isNotDone();
    other.getOutputStream().close();

    assertThat(search.get().folder()).isEqualTo(folder.resolve("cache/v1"));
  }

  private Path find(Map<String, String> environment) {
    return Programs.find(environment, cache(NO_RELEASE), steps::add).folder();
  }

  private ProgramCache cache(KubernetesRelease release) {
    return new ProgramCache(folder.resolve("cache"), release, NO_GO);
  }

  /** Makes a folder of programs that say their names. */
  static Path put(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (var component : Component.values()) {
      var file = folder.resolve(component.fileName());
      Files.writeString(file, "#!/bin/sh\necho %s runs\n".formatted(component.fileName()));
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    return folder;
  }

  private List<String> cacheContent() throws Exception {
    var cache = folder.resolve("cache");
    try (var paths = Files.walk(cache)) {
      return paths
          .filter(path -> !path.equals(cache))
          .map(path -> cache.relativize(path).toString())
          .sorted()
          .toList();
    }
  }
}
