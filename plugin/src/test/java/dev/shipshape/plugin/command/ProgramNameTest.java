package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramNameTest {
  @Test
  void underHelmItIsCalledThroughHelm() {
    assertThat(ProgramName.name(Map.of("HELM_PLUGIN_DIR", "/plugins/shipshape")))
        .isEqualTo("helm shipshape");
    assertThat(ProgramName.name(Map.of())).isEqualTo("shipshape");
  }

  @Test
  void whatIsPastedReachesItAsItWasSaid() {
    assertThat(ProgramName.command(List.of("review", "my node's.yaml", "--quiet")))
        .isEqualTo("shipshape review 'my node'\\''s.yaml' --quiet");
  }
}
