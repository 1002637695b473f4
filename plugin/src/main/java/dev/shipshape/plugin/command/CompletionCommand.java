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
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = {
      "For bash, and for zsh after 'autoload -U +X bashcompinit && bashcompinit':",
      "  source <(shipshape completion bash)",
      "'helm shipshape' is completed by Helm's own completion, from the file completion.yaml."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:the command line is wrong"})
final class CompletionCommand implements Callable<Integer> {
  /** For whom: the two shells share one script, {@code helm} is the plugin's completion.yaml. */
  enum For {
    bash,
    zsh,
    helm
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "bash|zsh|helm", description = "For whom.")
  private For whom = For.bash;

  @Override
  public Integer call() {
    var all = Shipshape.commandLine();
    var out = spec.commandLine().getOut();
    out.print(
        switch (whom) {
          case bash, zsh -> AutoComplete.bash(all.getCommandName(), all);
          case helm -> HelmCompletion.yaml(all.getCommandSpec());
        });
    out.flush();
    return ExitCode.OK;
  }
}
