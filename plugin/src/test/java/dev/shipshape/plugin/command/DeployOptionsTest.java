package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class DeployOptionsTest {
  @Command
  private static final class Deploy {
    @Mixin private final DeployOptions options = new DeployOptions();
  }

  @Test
  void everyWayToSayAValueIsHandedOnToHelm() {
    var deploy = new Deploy();

    new CommandLine(deploy)
        .parseArgs(
            "--set-file",
            "certificates.caBundle=ca.crt",
            "--set",
            "a=1,b=2",
            "--set-string",
            "c=3",
            "--set-json",
            "d=[4, {\"e\": 5}]",
            "-f",
            "values.yaml");

    assertThat(deploy.options.values())
        .containsExactly(
            "--values=values.yaml",
            "--set-json=d=[4, {\"e\": 5}]",
            "--set=a=1,b=2",
            "--set-string=c=3",
            "--set-file=certificates.caBundle=ca.crt");
  }
}
