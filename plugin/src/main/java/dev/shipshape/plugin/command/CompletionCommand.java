package dev.shipshape.plugin.command;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = "Print a completion script.",
    footerHeading = "%n",
    footer = {
      "source <(shipshape completion bash)",
      "'helm shipshape' is completed by Helm's own completion, without a script of ours."
    })
final class CompletionCommand implements Callable<Integer> {
  enum Shell {
    bash,
    zsh
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  @SuppressWarnings("UnusedVariable") // Only checked: one script serves both.
  private Shell shell = Shell.bash;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(AutoComplete.bash("shipshape", Shipshape.commandLine()));
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
