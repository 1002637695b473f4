package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureTest extends WithCommands {
  @Test
  void whatIsNoFeatureIsAWrongCommandLineThatNamesThem() {
    var exit = run("upgrade --kubeconfig /nowhere --arm nodeconfig".split(" "));

    assertThat(err.toString())
        .contains("expected guard, guard=NAME, pruning or restarts, but was 'nodeconfig'");
    assertThat(exit).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aGuardOfAPresetIsArmedWithTheOthers() {
    assertThatThrownBy(() -> Feature.parse("guard=nodeconfig"))
        .hasMessageContaining("nodeconfig is a guard of a preset");
  }

  @Test
  void whatIsArmedAndDisarmedIsDisarmed() {
    var guard = List.of(Feature.parse("guard"));

    assertThat(Feature.sets(guard, guard)).last().isEqualTo("--set=guard.armed=false");
  }
}
