package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

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
