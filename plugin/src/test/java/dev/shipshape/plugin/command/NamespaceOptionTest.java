package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class NamespaceOptionTest {
  @Test
  void whatIsSaidOnOurOwnCommandLineWins() {
    assertThat(said("-n", "said")).isEqualTo("said");
    assertThat(said("--namespace=said")).isEqualTo("said");
  }

  @Test
  void whereNobodySaysOneItIsHelmsElseShipshape() {
    assertThat(said()).isEqualTo(System.getenv().getOrDefault("HELM_NAMESPACE", "shipshape"));
    assertThat(said("-n", "")).isEqualTo("shipshape");
  }

  private static String said(String... arguments) {
    return CommandLine.populateCommand(new NamespaceOption(), arguments).value();
  }
}
