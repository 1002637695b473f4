package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseTest {
  private static final EnumSet<Program> ETCD = EnumSet.of(Program.ETCD);
  private static final String SCRIPT = "#!/bin/sh\necho released\n";

  @TempDir private Path folder;
  private final ArrayList<String> steps = new ArrayList<>();

  @Test
  void etcdIsDownloadedOnceAndRunsFromTheCache() throws Exception {
    try (var server = ReleaseServer.start(folder.resolve("host"), SCRIPT, 0)) {
      var search = search(server.release());

      var programs = search.find(ETCD, steps::add);

      assertThat(search.find(ETCD, steps::add)).isEqualTo(programs);
      assertThat(server.requests()).isEqualTo(1);
      var etcd = new ProcessBuilder(programs.path(Program.ETCD)).start();
      assertThat(etcd.inputReader().readLine()).isEqualTo("released");
      assertThat(cacheContent()).containsExactly("lock", "v0.0.1", "v0.0.1/etcd");
      assertThat(steps.getLast()).endsWith("100 %");
    }
  }

  @Test
  void anArchiveWithAnotherChecksumIsRefusedAndNothingOfItStays() throws Exception {
    try (var server = ReleaseServer.start(folder.resolve("host"), SCRIPT, 0)) {
      var search = search(server.release("0".repeat(128)));

      assertThatThrownBy(() -> search.find(ETCD, steps::add))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("is not what was released")
          .hasMessageContaining("SHA-256");
      assertThat(cacheContent()).containsExactly("lock", "v0.0.1");
    }
  }

  @Test
  void anInterruptedDownloadLeavesNoHalfProgram() throws Exception {
    try (var server = ReleaseServer.start(folder.resolve("host"), SCRIPT, 1000)) {
      var search = search(server.release());

      assertThatThrownBy(() -> search.find(ETCD, steps::add))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("could not download http://127.0.0.1:");
      assertThat(cacheContent()).containsExactly("lock", "v0.0.1");
    }
  }

  @Test
  void whatAKilledProcessLeftIncompleteIsNotUsed() throws Exception {
    var incomplete = Files.createDirectories(folder.resolve("cache/incomplete"));
    Files.writeString(incomplete.resolve("etcd-v0.0.1.tar.gz"), "half");
    try (var server = ReleaseServer.start(folder.resolve("host"), SCRIPT, 0)) {
      assertThat(search(server.release()).find(ETCD, steps::add).has(Program.ETCD)).isTrue();
    }
    assertThat(incomplete).doesNotExist();
  }

  @Test
  void aProgramThatTheArchiveLacksIsNamed() throws Exception {
    try (var server = ReleaseServer.start(folder.resolve("host"), SCRIPT, 0)) {
      var pinned = server.release().archives().get().getFirst();
      var elsewhere =
          new ReleaseArchive(
              pinned.address(), pinned.algorithm(), pinned.checksum(), "bin", pinned.programs());
      var search = search(new Release("0.0.1", () -> List.of(elsewhere)));

      assertThatThrownBy(() -> search.find(ETCD, steps::add))
          .hasMessageContaining("could not take bin/etcd out of http://127.0.0.1:");
      assertThat(cacheContent()).containsExactly("lock", "v0.0.1");
    }
  }

  @Test
  void theOfficialArchivesArePinnedForBothArchitecturesAndTheirHostsCanBeSet() {
    var properties = ProgramProperties.load();
    for (var architecture : List.of("amd64", "arm64")) {
      for (var name : List.of("etcd", "kubernetes")) {
        var official = ReleaseArchive.pinned(name, architecture, properties, Map.of());
        assertThat(official.address()).hasScheme("https");
        assertThat(official.address().getPath()).endsWith("-linux-" + architecture + ".tar.gz");
        assertThat(official.checksum())
            .matches(official.algorithm().equals("SHA-256") ? "[0-9a-f]{64}" : "[0-9a-f]{128}");
        assertThat(official.programs()).hasSize(name.equals("etcd") ? 1 : 2);
      }
    }
    var mirrored =
        ReleaseArchive.pinned(
            "etcd", "amd64", properties, Map.of("SHIPSHAPE_ETCD_RELEASES", "http://mirror/x/"));
    assertThat(mirrored.address().toString()).startsWith("http://mirror/x/v3.");
  }

  private ProgramSearch search(ProgramSource source) {
    return new ProgramSearch(Map.of(), new ProgramCache(folder.resolve("cache")), List.of(source));
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
