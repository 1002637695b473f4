package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class NamespaceOptionTest {
  private static final Map<String, String> HELM = Map.of("HELM_NAMESPACE", "helms");

  @Test
  void whatIsSaidOnOurOwnCommandLineWins() {
    assertThat(said(HELM, "-n", "said")).isEqualTo("said");
    assertThat(said(HELM, "--namespace=said")).isEqualTo("said");
  }

  @Test
  void whereHelmTookTheFlagAwayItsNamespaceCounts() {
    assertThat(said(HELM)).isEqualTo("helms");
  }

  @Test
  void whereNobodySaysOneItIsShipshape() {
    assertThat(said(Map.of())).isEqualTo("shipshape");
    assertThat(said(Map.of("HELM_NAMESPACE", ""))).isEqualTo("shipshape");
  }

  private static String said(Map<String, String> environment, String... arguments) {
    return CommandLine.populateCommand(new NamespaceOption(environment), arguments).value();
  }
}
