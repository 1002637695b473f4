package dev.shipshape.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramTest {
  @Test
  void underHelmItIsCalledThroughHelm() {
    assertThat(Program.name(Map.of("HELM_PLUGIN_DIR", "/plugins/shipshape")))
        .isEqualTo("helm shipshape");
    assertThat(Program.name(Map.of())).isEqualTo("shipshape");
  }

  @Test
  void whatIsPastedReachesItAsItWasSaid() {
    assertThat(Program.command(List.of("prune", "--apply", "my plan's.json", "--yes")))
        .isEqualTo("shipshape prune --apply 'my plan'\\''s.json' --yes");
  }
}
