package dev.shipshape.plugin.command;

import java.util.concurrent.Callable;
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
      "bash:  source <(shipshape completion bash)",
      "zsh:   source <(shipshape completion zsh)",
      "fish:  shipshape completion fish | source",
      "'helm shipshape' is completed by Helm's own completion, without a script of ours."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:the command line is wrong"})
final class CompletionCommand implements Callable<Integer> {
  private static final String BASH =
      """
      _shipshape() {
        local line lines directive
        COMPREPLY=()
        mapfile -t lines < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        [ ${#lines[@]} -gt 0 ] || return
        directive=${lines[-1]}
        unset 'lines[-1]'
        for line in "${lines[@]}"; do COMPREPLY+=("${line%%$'\t'*}"); done
        [ "$directive" != :0 ] || compopt -o default
      }
      complete -F _shipshape shipshape
      """;

  private static final String ZSH =
      """
      _shipshape() {
        local -a lines candidates
        local line
        lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
        for line in "${(@)lines[1,-2]}"; do
          candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        done
        _describe shipshape candidates
        [[ ${lines[-1]} != :0 ]] || _files
      }
      compdef _shipshape shipshape
      """;

  private static final String FISH =
      """
      function __shipshape
        set -l words (commandline -opc)
        set -l lines ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
        printf '%s\n' $lines[1..-2]
        test "$lines[-1]" != :0; or __fish_complete_path (commandline -ct)
      end
      complete -c shipshape -f -a '(__shipshape)'
      """;

  /** For whom; {@code helm} is the plugin's completion.yaml. */
  enum For {
    bash,
    zsh,
    fish,
    helm
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "bash|zsh|fish|helm", description = "The shell, or helm.")
  private For whom = For.bash;

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    out.print(
        switch (whom) {
          case bash -> BASH;
          case zsh -> ZSH;
          case fish -> FISH;
          case helm -> HelmCompletion.yaml(Shipshape.commandLine().getCommandSpec());
        });
    out.flush();
    return ExitCode.OK;
  }
}
