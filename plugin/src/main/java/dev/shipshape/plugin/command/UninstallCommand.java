package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Console;
import dev.shipshape.plugin.release.Uninstaller;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "uninstall",
    description = {
      "Delete the webhook configurations first, then the release, then what was created at run"
          + " time: certificates (cert-manager's too), leases, the janitor's status and what disarm"
          + " --now created.",
      "The CustomResourceDefinition and the known-invalid configurations stay, unless the chart's"
          + " crds.keep is false."
    })
final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Option(names = "--dry-run", description = "Show what would be removed, and change nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws InterruptedException {
    var release = options.release();
    try (var client = options.connect()) {
      var uninstaller = new Uninstaller(client, release, new Console(spec.commandLine().getOut()));
      var found = dryRun ? uninstaller.show() : uninstaller.run();
      return found ? ExitCode.OK : ExitCode.FOUND;
    }
  }
}
