package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Status;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = "Show the state of the release on one screen. Changes nothing.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    var release = options.release();
    try (var client = options.connect()) {
      var status = Status.of(client, release);
      var out = spec.commandLine().getOut();
      if (output.isData()) {
        out.println(output.text(JsonOutput.of(status)));
      } else {
        new StatusScreen(out, Clock.systemUTC()).show(release.toString(), status);
      }
      var well = status.ready() && status.troubles().isEmpty();
      return well ? ExitCode.OK : ExitCode.FOUND;
    }
  }
}
