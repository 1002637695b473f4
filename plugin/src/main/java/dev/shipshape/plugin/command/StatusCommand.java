package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Status;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "status",
    description = "Show the state of the release on one screen. Changes nothing.")
final class StatusCommand implements Callable<Integer> {
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    var release = options.release();
    try (var client = options.connect()) {
      var status = Status.of(client, release);
      var screen = new StatusScreen(Clock.systemUTC());
      output.print(() -> status, () -> screen.text(release.toString(), status));
      var well = status.ready() && status.troubles().isEmpty();
      return well ? ExitCode.OK : ExitCode.FOUND;
    }
  }
}
