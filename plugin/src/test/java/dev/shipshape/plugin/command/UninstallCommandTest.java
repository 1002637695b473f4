package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server; Helm is a script, and knows no release. */
@ExtendWith(ControlPlaneExtension.class)
class UninstallCommandTest extends WithCommands {
  private final ControlPlane cluster;
  private final String namespace;

  @TempDir private Path folder;

  UninstallCommandTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.namespace = names.namespace("uninstall");
  }

  /** As by a GitOps tool, which would also make it again. */
  @Test
  void aReleaseThatRunsWithoutHelmIsLeftToTheToolThatMadeIt() throws Exception {
    var release = new TestRelease(cluster, namespace);
    release.deploy();
    release.register();

    assertThat(uninstall("--dry-run")).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(uninstall()).isEqualTo(ExitCode.COULD_NOT_RUN);

    assertThat(release.isRegistered("Mutating")).isTrue();
    assertThat(err.toString()).contains("runs, but Helm does not know it", "nothing was removed");
  }

  private int uninstall(String... more) throws Exception {
    new PluginRun(folder, namespace, cluster.server())
        .helm("echo 'Error: release: not found' >&2; exit 1");
    var line = new ArrayList<>(List.of("uninstall", namespace, "-n", namespace));
    line.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    line.addAll(List.of(more));
    return run(line.toArray(String[]::new));
  }
}
