package dev.shipshape.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.GuardReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "hash",
    description = {
      "Prints the identity of node configurations in files, as the webhook computes it. Needs no"
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
    var guards =
        GuardReader.PRESETS.stream()
            .flatMap(preset -> GuardReader.preset(preset).stream())
            .toList();
    var problems = new ArrayList<String>();
    for (var file : files) {
      try {
        for (var object : YamlDocuments.read(read(file))) {
          printAll(file, object, guards, problems);
        }
      } catch (IOException | RuntimeException e) {
        // The library throws whatever comes, for a file that is no YAML.
        problems.add("%s: cannot be read: %s".formatted(file, firstLine(e)));
      }
    }
    problems.forEach(spec.commandLine().getErr()::println);
    return problems.isEmpty() ? ExitCode.OK : ExitCode.BAD_INPUT;
  }

  private static String read(String file) throws IOException {
    return file.equals("-")
        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
        : Files.readString(Path.of(file));
  }

  private void printAll(String file, JsonNode object, List<Guard> guards, List<String> problems) {
    if (object.path("items").isArray()) {
      object.path("items").forEach(item -> printAll(file, item, guards, problems));
      return;
    }
    var name = "%s %s".formatted(text(object, "/kind"), text(object, "/metadata/name"));
    guardOf(object, guards)
        .ifPresentOrElse(
            guard ->
                spec.commandLine().getOut().printf("%s  %s%n", guard.identity().hash(object), name),
            () ->
                problems.add(
                    "%s: %s: no preset knows %s %s"
                        .formatted(
                            file, name, text(object, "/apiVersion"), text(object, "/kind"))));
  }

  private static Optional<Guard> guardOf(JsonNode object, List<Guard> guards) {
    return guards.stream()
        .filter(
            guard ->
                (guard.resource().group() + "/" + guard.resource().version())
                        .equals(text(object, "/apiVersion"))
                    && guard.resource().kind().equals(text(object, "/kind")))
        .findFirst();
  }

  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }

  private static String text(JsonNode object, String pointer) {
    return object.at(pointer).asText("?");
  }
}
