package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class CompletionTest {
  private final ControlPlane cluster;

  CompletionTest(ControlPlane cluster) {
    this.cluster = cluster;
  }

  @Test
  void commandsOptionsAndTheirValuesAreCompleted() {
    assertThat(complete("rev")).containsExactly("review", ":4");
    assertThat(complete("audit", "ti")).containsExactly("timeline", ":4");
    assertThat(complete("review", "--known")).containsExactly("--known-invalid", ":4");
    assertThat(complete("review", "-o", "s")).containsExactly("sarif", ":4");
    assertThat(complete("scan", "--output", "")).contains("wide", "yaml");
    assertThat(complete("audit", "top", "--by", "user")).containsExactly("user-agent", ":4");
    assertThat(complete("webh")).as("hidden or not").endsWith(":4");
  }

  @Test
  void filesAreLeftToTheShell() {
    assertThat(complete("review", "")).containsExactly(":0");
    assertThat(complete("review", "--known-invalid", "")).containsExactly(":0");
    assertThat(complete("diff", "a.yaml", "")).containsExactly(":0");
    assertThat(complete("diff", "a.yaml", "b.yaml", "")).containsExactly(":4");
  }

  @Test
  void namesComeFromTheClusterAndTheKubeconfig() {
    var kubeconfig = cluster.kubeconfig().toString();

    assertThat(complete("status", "--kubeconfig", kubeconfig, "-n", "kube-sys"))
        .containsExactly("kube-system", ":4");
    assertThat(complete("status", "--kubeconfig", kubeconfig, "--context", ""))
        .hasSizeGreaterThan(1);
    assertThat(complete("status", "--kubeconfig", "/nowhere", "-n", "")).containsExactly(":4");
  }

  private static List<String> complete(String... words) {
    return Completion.of(Arrays.asList(words))
        .lines()
        .map(line -> line.replaceFirst("\t.*", ""))
        .toList();
  }
}
