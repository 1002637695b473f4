package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoBuildTest {
  private static final EnumSet<Program> ETCD = EnumSet.of(Program.ETCD);

  @TempDir private Path folder;

  @Test
  void etcdIsBuiltFromItsModule() throws Exception {
    var environment = System.getenv();
    assumeTrue(
        SearchPath.of(environment).find("go").isPresent(),
        "there is no go on the PATH to build etcd with");
    var build = GoBuild.standard(ProgramProperties.load(), environment);

    var programs = search(build).find(ETCD, Progress.toLog());

    var etcd = new ProcessBuilder(programs.path(Program.ETCD), "--version").start();
    assertThat(etcd.inputReader().readLine()).startsWith("etcd Version: 3.6.");
    assertThat(programs.folder()).isEqualTo(folder.resolve("cache/v" + build.version()));
    assertThat(folder.resolve("cache/incomplete")).doesNotExist();
  }

  @Test
  void aFailedBuildIsReportedInGosOwnWords() throws Exception {
    var go = folder.resolve("go");
    Files.writeString(go, "#!/bin/sh\necho 'go: go.mod requires go >= 1.26.0' >&2\nexit 1\n");
    assertThat(go.toFile().setExecutable(true)).isTrue();
    var build = new GoBuild("1.36.3", "go", Map.of("PATH", folder.toString()));

    assertThatThrownBy(() -> search(build).find(ETCD, step -> {}))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("go: go.mod requires go >= 1.26.0");
    assertThat(folder.resolve("cache/v1.36.3")).isEmptyDirectory();
  }

  private ProgramSearch search(ProgramSource source) {
    return new ProgramSearch(Map.of(), new ProgramCache(folder.resolve("cache")), List.of(source));
  }
}
