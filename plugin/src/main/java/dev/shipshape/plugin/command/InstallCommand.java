package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Console;
import dev.shipshape.plugin.release.Installer;
import dev.shipshape.plugin.release.Values;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "install",
    description = {
      "Check the cluster, install the chart (nothing is armed unless values say so), wait for"
          + " readiness and test the guard through the API server."
    },
    footer = "%nHelm keeps the release: helm list, helm history and helm rollback know it.")
final class InstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final DeployOptions deploy = new DeployOptions();

  @Override
  public Integer call() throws InterruptedException, BadSettings {
    var release = options.release();
    try (var client = options.connect()) {
      var installer = new Installer(client, release, new Console(spec.commandLine().getOut()));
      if (release.exists()) {
        throw new StartFailure(
            "the release %s exists already; this changes it: %s; if its first installation was broken off, this removes it: %s"
                .formatted(release, options.command("upgrade"), options.command("uninstall")));
      }
      installer.requireNotForeign();
      // The presets whose resources the cluster serves; the chart's default if it serves none.
      var presets = String.join(", ", installer.presets());
      var values =
          new Values(
              presets.isEmpty() ? "" : "guard: {presets: [%s]}\n".formatted(presets),
              deploy.values());
      installer.plan(deploy.chart(), values);
      var works =
          deploy.isDryRun() || installer.deploy(deploy.chart(), values, false, deploy.timeout());
      return works ? ExitCode.OK : ExitCode.FOUND;
    }
  }
}
