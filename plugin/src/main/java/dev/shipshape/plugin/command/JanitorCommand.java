package dev.shipshape.plugin.command;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "janitor",
    description = "Run the janitor until SIGTERM.",
    footer =
        "%nWith wrong settings it stays up, idle, and says so by log and metric: beside the"
            + " webhook in one pod it must not take that out of service.")
final class JanitorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      defaultValue = "janitor.yaml",
      description = "The settings file. Default: ${DEFAULT-VALUE}")
  private Path settings = Path.of("janitor.yaml");

  @Option(names = "--check", description = "Only check the settings.")
  private boolean check;

  @Override
  public Integer call() throws BadSettings, InterruptedException {
    if (check) {
      JanitorSettings.read(settings);
      spec.commandLine().getOut().println(settings + " is good");
      return ExitCode.OK;
    }
    var asked = new CountDownLatch(1);
    try (var _ = new ShutdownSignal(asked::countDown, Duration.ZERO);
        var server = JanitorServer.start(settings, cluster::connect)) {
      Thread.setDefaultUncaughtExceptionHandler(server::threadEnded);
      asked.await();
    }
    return ExitCode.OK;
  }
}
