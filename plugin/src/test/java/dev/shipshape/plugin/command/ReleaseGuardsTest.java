package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.TestRelease;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask a cluster judge by the guards of its release, or not at all. */
@ExtendWith(ControlPlaneExtension.class)
class ReleaseGuardsTest extends WithCommands {
  private final ControlPlane cluster;
  private final String group;
  private final String namespace;
  private final String elsewhere;
  private WidgetCluster widgets;

  @TempDir private Path folder;

  ReleaseGuardsTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.group = names.name("guards") + ".example.com";
    this.namespace = names.namespace("release");
    this.elsewhere = names.namespace("elsewhere");
  }

  @BeforeEach
  void release() throws Exception {
    widgets = WidgetCluster.open(cluster, group);
    new TestRelease(cluster, namespace).settings(Map.of("webhook.yaml", widgets.guards()));
    widgets.store("failed", "\"spec\":{\"a\":true},\"status\":{\"state\":\"invalid\"}");
  }

  @AfterEach
  void close() {
    widgets.close();
  }

  @Test
  void aReviewByTheClusterIsByTheGuardsOfItsReleaseOrNone() throws Exception {
    var same =
        Files.writeString(
                folder.resolve("same.yaml"),
                "apiVersion: %s/v1\nkind: Widget\nmetadata: {name: same}\nspec: {a: true}\n"
                    .formatted(group))
            .toString();

    assertThat(run("review", same, "--cluster", "-n", elsewhere)).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(out.toString()).isEmpty();
    assertThatTheReleaseIsNamed();

    assertThat(run("review", same, "--cluster", "-n", namespace)).isEqualTo(ExitCode.FOUND);
  }

  @Test
  void aScanIsByTheGuardsOfTheReleaseOrNone() throws Exception {
    widgets.store("same", "\"spec\":{\"a\":true}");

    assertThat(run("scan", "-n", elsewhere)).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThatTheReleaseIsNamed();

    assertThat(run("scan", "-n", namespace)).isEqualTo(ExitCode.FOUND);
  }

  private void assertThatTheReleaseIsNamed() {
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("shipshape: there is no release with a webhook in namespace " + elsewhere)
        .contains("but there is one in ", namespace, "-n", "--settings FILE");
  }

  @Override
  int run(String... arguments) {
    var line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    return super.run(line.toArray(String[]::new));
  }
}
