package dev.shipshape.demo;

import dev.shipshape.plugin.command.ExitCode;
import dev.shipshape.plugin.command.ShutdownSignal;
import dev.shipshape.plugin.release.Console;
import dev.shipshape.sandbox.SandboxException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the demo: {@code demo/run}. */
@Command(
    name = "demo/run",
    description = "Run the main job on a control plane of its own; needs no cluster.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every step came out as it should",
      "1:a step came out otherwise",
      "2:the command line is wrong",
      "4:could not run"
    })
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--keep",
      description =
          "Leave all of it running and print the KUBECONFIG, for kubectl by hand, until Ctrl-C.")
  private boolean keep;

  @Option(names = "--log", description = "Show the two servers' log lines too.")
  private boolean log;

  /** Runs it, and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new DemoCommand())
            .setExecutionExceptionHandler(DemoCommand::failed)
            .execute(arguments));
  }

  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
    command.getErr().println("demo: " + (e instanceof SandboxException ? e.getMessage() : e));
    return ExitCode.COULD_NOT_RUN;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (!log) {
      // Read when the first logger is made, which is after this.
      System.setProperty("org.slf4j.simpleLogger.log.dev.shipshape", "error");
      System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    }
    var console = Console.ofProcess();
    try (var stop = ShutdownSignal.begin()) {
      var demo = new Demo(console, Clock.systemUTC());
      var asExpected =
          demo.run(keep ? kubeconfig -> stay(console, kubeconfig, stop) : kubeconfig -> {});
      return asExpected ? ExitCode.OK : ExitCode.FOUND;
    }
  }

  private static void stay(Console console, Path kubeconfig, ShutdownSignal stop)
      throws InterruptedException {
    console.heading("Everything keeps running until Ctrl-C");
    console.result("export KUBECONFIG=" + kubeconfig);
    stop.await();
  }
}
