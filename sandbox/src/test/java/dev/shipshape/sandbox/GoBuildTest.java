package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoBuildTest {
  @TempDir private Path folder;

  @Test
  void etcdIsBuiltFromItsModule() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "go"))),
        "there is no go on the PATH to build etcd with");

    GoBuild.standard().build(Component.ETCD, folder);

    var etcd = new ProcessBuilder(folder.resolve("etcd").toString(), "--version").start();
    assertThat(etcd.inputReader().readLine()).startsWith("etcd Version: 3.6.");
    assertThat(folder.resolve("build")).doesNotExist();
  }

  @Test
  void aFailedBuildIsReportedInGosOwnWords() throws Exception {
    var go = folder.resolve("go");
    Files.writeString(go, "#!/bin/sh\necho 'go: go.mod requires go >= 1.26.0' >&2\nexit 1\n");
    assertThat(go.toFile().setExecutable(true)).isTrue();

    assertThatThrownBy(() -> new GoBuild("1.36.3", go.toString()).build(Component.ETCD, folder))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("go: go.mod requires go >= 1.26.0");
  }
}
