package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MemoryOptionsTest {
  private static final Map<String, String> HELM = Map.of("HELM_NAMESPACE", "helms");

  @Test
  void theNamespaceIsTheOneThatIsSaidElseHelmsElseTheKubeconfigs() {
    assertThat(place(HELM, "own", "-n", "said")).isEqualTo("said");
    assertThat(place(HELM, "own")).isEqualTo("helms");
    assertThat(place(Map.of(), "own")).isEqualTo("own");
    assertThat(place(Map.of(), null)).isEqualTo("default");
  }

  private static String place(
      Map<String, String> environment, @Nullable String own, String... arguments) {
    return CommandLine.populateCommand(new MemoryOptions(), arguments).place(environment, own);
  }
}
