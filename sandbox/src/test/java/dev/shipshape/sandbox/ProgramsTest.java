package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
  @TempDir private Path folder;
  private Path first;
  private final List<String> steps = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void open() throws Exception {
    first = put(folder.resolve("first"));
    go("echo 'go: go.mod requires go >= 1.26.0' >&2; exit 1");
  }

  @Test
  void ourFolderComesBeforeTheOneThatOthersShareAndThatBeforeTheCache() throws Exception {
    var second = put(folder.resolve("second"));
    var cached = put(cache().resolve("v1.36.3"));

    assertThat(find(Map.of("SHIPSHAPE_KUBE_BIN", "" + first, "KUBEBUILDER_ASSETS", "" + second)))
        .isEqualTo(first);
    assertThat(find(Map.of("KUBEBUILDER_ASSETS", "" + second))).isEqualTo(second);
    assertThat(find(Map.of("SHIPSHAPE_KUBE_BIN", "")))
        .as("an empty variable names nothing")
        .isEqualTo(cached);
  }

  @Test
  void theReleaseIsDownloadedOnceHoweverManyWantItAndRunsFromTheCache() throws Exception {
    try (var server = ReleaseServer.start(folder, first, 0)) {
      var release = Map.of("SHIPSHAPE_RELEASE", server.release());
      var other = CompletableFuture.supplyAsync(() -> find(release));

      var programs = find(release);

      assertThat(other.join()).isEqualTo(programs);
      assertThat(server.requests()).isEqualTo(1);
      assertThat(run(programs.resolve("etcd"))).isEqualTo("etcd runs");
      assertThat(cached()).containsExactly("lock", "v1.36.0");
    }
  }

  @Test
  void anArchiveWithAnotherChecksumIsRefusedAndTheMessageSaysHowToFixIt() throws Exception {
    try (var server = ReleaseServer.start(folder, first, 0)) {
      var release = Map.of("SHIPSHAPE_RELEASE", server.release("0".repeat(64)));

      assertThatThrownBy(() -> find(release))
          .isInstanceOf(SandboxException.class)
          .hasMessageStartingWith("there are no Kubernetes programs: SHIPSHAPE_KUBE_BIN and")
          .hasMessageContaining("has a wrong checksum")
          .hasMessageContaining("go: go.mod requires go >= 1.26.0")
          .hasMessageContaining("Do one of these: set SHIPSHAPE_KUBE_BIN to a folder");
      assertThat(cached()).containsExactly("lock");
    }
  }

  @Test
  void aDownloadThatBreaksOffGivesNoHalfProgramAndGoBuildsThem() throws Exception {
    put(cache().resolve("incomplete"));
    // go build -trimpath -ldflags=... -o FILE PACKAGE
    go("printf '#!/bin/sh\\necho built' >\"$5\" && chmod +x \"$5\"");
    try (var server = ReleaseServer.start(folder, first, 1000)) {
      var programs = find(Map.of("SHIPSHAPE_RELEASE", server.release()));

      assertThat(steps).anyMatch(step -> step.startsWith("building kube-apiserver with Go"));
      assertThat(run(programs.resolve("etcd"))).isEqualTo("built");
      assertThat(cached()).containsExactly("lock", "v1.36.3");
    }
  }

  private Path find(Map<String, String> more) {
    var environment = new HashMap<>(more);
    environment.put("XDG_CACHE_HOME", folder.resolve("caches").toString());
    environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    return Programs.find(environment, steps::add).folder();
  }

  private Path cache() {
    return folder.resolve("caches/shipshape/kubernetes");
  }

  private List<String> cached() throws IOException {
    try (var paths = Files.list(cache())) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** Puts a Go on the PATH. */
  private void go(String script) throws IOException {
    var go = Files.createDirectories(folder.resolve("bin")).resolve("go");
    Files.writeString(go, "#!/bin/sh\n" + script + "\n");
    assertThat(go.toFile().setExecutable(true)).isTrue();
  }

  private static String run(Path program) throws IOException {
    return new ProcessBuilder(program.toString()).start().inputReader().readLine();
  }

  /** Makes a folder of programs that say their names. */
  private static Path put(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (var name : Programs.NAMES) {
      var file = folder.resolve(name);
      Files.writeString(file, "#!/bin/sh\necho %s runs\n".formatted(name));
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    return folder;
  }
}
