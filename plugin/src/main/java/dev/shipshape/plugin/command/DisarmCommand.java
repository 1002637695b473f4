package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Console;
import dev.shipshape.plugin.release.Disarmer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "disarm",
    description = {
      "Disarm the guard at once, when writes are blocked: without Helm, and with no replica alive.",
      "Creates the ConfigMap shipshape-disarmed, which keeps every guard in the namespace disarmed,"
          + " and deletes the ValidatingWebhookConfiguration."
    })
final class DisarmCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Option(names = "--now", description = "Required: disarm past Helm, whatever its values are.")
  private boolean now;

  @Override
  public Integer call() {
    var upgrade = options.command("upgrade");
    if (!now) {
      throw new ParameterException(
          spec.commandLine(),
          "disarm takes the guard out at once, past Helm and its values: if that is meant, say"
              + " --now; the ordinary way is: %s --disarm guard".formatted(upgrade));
    }
    try (var client = options.connect()) {
      var console = new Console(spec.commandLine().getOut());
      var release = options.release();
      var result = new Disarmer(client, release, console).run();
      if (result == Disarmer.Result.DISARMED) {
        console.result("to arm again what is to be armed: " + release.armAgain());
        console.result(
            "or, to try it before: %1$s --disarm guard, which has it warn again, then %1$s --arm guard"
                .formatted(upgrade));
      }
      return result == Disarmer.Result.FAILED ? ExitCode.FOUND : ExitCode.OK;
    }
  }
}
