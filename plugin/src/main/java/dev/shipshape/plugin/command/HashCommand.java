package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "hash",
    description = {
      "Print the identity of node configurations in files, as the webhook computes it. Needs no"
          + " cluster."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every object has its hash printed",
      "2:the command line is wrong",
      "3:a file cannot be read, or has an object that no preset knows"
    })
final class HashCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Objects or lists of them in YAML or JSON; - for standard input.")
  private List<String> files = List.of();

  @Override
  public Integer call() {
    var manifests = new Manifests(spec.commandLine());
    manifests.readAll(files, this::print);
    return manifests.reportProblems() ? ExitCode.BAD_INPUT : ExitCode.OK;
  }

  private void print(Guard guard, JsonNode object) {
    spec.commandLine()
        .getOut()
        .printf("%s  %s%n", guard.identity().hash(object), Manifests.nameOf(object));
  }
}
