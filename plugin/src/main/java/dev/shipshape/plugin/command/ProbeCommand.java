package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.CheckResult;
import dev.shipshape.plugin.release.Console;
import dev.shipshape.plugin.release.SelfTest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "probe",
    description = {
      "Test the guard through the API server: dry-run creates of configurations that the webhook"
          + " always holds as known invalid. Nothing is written."
    })
final class ProbeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--validating",
      paramLabel = "NAME",
      defaultValue = "shipshape",
      description = "The ValidatingWebhookConfiguration. Default: ${DEFAULT-VALUE}")
  private String validating = "shipshape";

  @Override
  public Integer call() {
    try (var client = cluster.connect()) {
      var results = new SelfTest(client, validating).await();
      var console = new Console(spec.commandLine().getOut());
      results.forEach(result -> console.verdict(result.good(), result.text()));
      var good = results.stream().allMatch(CheckResult::good);
      return good ? ExitCode.OK : ExitCode.FOUND;
    }
  }
}
