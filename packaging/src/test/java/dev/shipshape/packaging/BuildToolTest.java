package dev.shipshape.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BuildToolTest {
  /** The module's settings for tests set one variable of Helm's, and one of Java's. */
  @Test
  void aBuildReachesNoClusterOfItsUser() throws Exception {
    assertThat(System.getenv()).containsKeys("HELM_NAMESPACE", "JAVA_TOOL_OPTIONS");

    assertThat(BuildTool.run(Path.of("."), List.of("env")).lines())
        .anyMatch(line -> line.startsWith("PATH="))
        .noneMatch(line -> line.startsWith("HELM_") || line.startsWith("JAVA_TOOL_OPTIONS"));
  }
}
