package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The pages of docs/reference/commands, made from the commands' own help. */
class CommandPagesTest {
  private static final Path PAGES = Path.of("../docs/reference/commands");

  @Test
  void thereIsAPageForEachCommandAndItSaysWhatTheHelpSays() throws Exception {
    var pages = pages();
    if (Boolean.getBoolean("pages.write")) {
      for (var page : pages.entrySet()) {
        Files.writeString(PAGES.resolve(page.getKey()), page.getValue());
      }
    }

    for (var page : pages.entrySet()) {
      assertThat(PAGES.resolve(page.getKey()))
          .as("mvn test -pl plugin -am -Dpages.write=true -Dtest=CommandPagesTest writes them")
          .content()
          .isEqualTo(page.getValue());
    }
    try (var files = Files.list(PAGES)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(pages.keySet());
    }
  }

  /** From it Helm completes our commands without starting us. */
  @Test
  void helmsCompletionHasAllCommandsAndFlags() throws Exception {
    var yaml = new StringBuilder("# Written by CommandPagesTest\nname: shipshape\n");
    completion(yaml, Shipshape.commandLine().getCommandSpec(), "");
    if (Boolean.getBoolean("pages.write")) {
      Files.writeString(Path.of("../completion.yaml"), yaml);
    }

    assertThat(Path.of("../completion.yaml")).content().isEqualTo(yaml.toString());
  }

  @Test
  void theFileForAGitInstallHasOnlyWhatEveryHelmReads() throws Exception {
    assertThat(Files.readAllLines(Path.of("../plugin.yaml")))
        .filteredOn(line -> !line.startsWith("#"))
        .extracting(line -> line.replaceFirst(":.*", ""))
        .containsExactlyInAnyOrder("name", "version", "usage", "description", "command");
  }

  private static void completion(StringBuilder yaml, CommandSpec command, String indent) {
    var options =
        command.options().stream()
            .filter(option -> !option.hidden())
            // Helm pairs the n-th single letter with the n-th word.
            .sorted(
                Comparator.comparing((OptionSpec option) -> option.shortestName().length() > 2)
                    .thenComparing(OptionSpec::longestName))
            .toList();
    yaml.append(indent).append("flags:\n");
    Stream.concat(
            options.stream().map(option -> option.longestName().substring(2)),
            options.stream()
                .filter(option -> option.shortestName().length() == 2)
                .map(option -> option.shortestName().substring(1)))
        .forEach(flag -> yaml.append(indent).append("- ").append(flag).append('\n'));
    var below =
        new TreeMap<>(command.subcommands())
            .values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(each -> !each.usageMessage().hidden())
                .toList();
    yaml.append(below.isEmpty() ? "" : indent + "commands:\n");
    for (var each : below) {
      yaml.append(indent).append("- name: ").append(each.name()).append('\n');
      completion(yaml, each, indent + "  ");
    }
  }

  private static Map<String, String> pages() {
    var pages = new TreeMap<String, String>();
    var root = Shipshape.commandLine();
    root.getSubcommands().values().stream()
        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
        .forEach(each -> pages.put(each.getCommandName() + ".md", page(each)));
    pages.put(
        "README.md",
        "# Commands\n\nMade from the commands' own help. As a Helm plugin, each is `helm shipshape"
            + " COMMAND`.\n\n"
            + pages.keySet().stream()
                .map(name -> name.replace(".md", ""))
                .map(name -> "- [%1$s](%1$s.md)\n".formatted(name))
                .collect(Collectors.joining())
            + "\n"
            + block(root));
    return pages;
  }

  private static String page(CommandLine command) {
    return "# %s\n\n%s%s"
        .formatted(
            command.getCommandSpec().qualifiedName(),
            block(command),
            command.getSubcommands().values().stream()
                .map(
                    each ->
                        "\n## %s\n\n%s"
                            .formatted(each.getCommandSpec().qualifiedName(), block(each)))
                .collect(Collectors.joining()));
  }

  private static String block(CommandLine command) {
    return "```text\n%s```\n".formatted(command.getUsageMessage(Ansi.OFF));
  }
}
