package dev.shipshape.plugin.command;

import dev.shipshape.plugin.demo.Demo;
import dev.shipshape.plugin.release.Console;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = "Run the main job on a control plane of its own; needs no cluster.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every step came out as it should",
      "1:a step came out otherwise",
      "2:the command line is wrong",
      "4:could not run"
    })
final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--keep",
      description =
          "Leave all of it running and print the KUBECONFIG, for kubectl by hand, until Ctrl-C.")
  private boolean keep;

  @Option(names = "--log", description = "Show the two servers' log lines too.")
  private boolean log;

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
