package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Console;
import dev.shipshape.plugin.release.Remover;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "remove-webhooks",
    hidden = true,
    description =
        "Delete both webhook configurations, so that nothing calls a webhook that is going away."
            + " The chart's own uninstall hook runs it.")
final class RemoveWebhooksCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--validating",
      paramLabel = "NAME",
      required = true,
      description = "The ValidatingWebhookConfiguration.")
  private String validating = "";

  @Option(
      names = "--mutating",
      paramLabel = "NAME",
      required = true,
      description = "The MutatingWebhookConfiguration.")
  private String mutating = "";

  @Override
  public Integer call() {
    try (var client = cluster.connect()) {
      var remover = new Remover(client);
      var console = new Console(spec.commandLine().getOut());
      // First: while it exists, a replica writes the validating one again.
      console.result(remover.mutating(mutating));
      console.result(remover.validating(validating));
      return ExitCode.OK;
    }
  }
}
