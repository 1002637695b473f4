package dev.shipshape.plugin.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The commands as Helm's completion.yaml, from which Helm completes without starting us. */
final class HelmCompletion {
  private final StringBuilder yaml = new StringBuilder();

  private HelmCompletion() {}

  static String yaml(CommandSpec root) {
    var completion = new HelmCompletion();
    completion.line("", "# Made by: shipshape completion helm");
    completion.line("", "name: " + root.name());
    completion.inside(root, "");
    return completion.yaml.toString();
  }

  private void command(CommandSpec command, String indent) {
    line(indent, "- name: " + command.name());
    inside(command, indent + "  ");
  }

  private void inside(CommandSpec command, String indent) {
    line(indent, "flags:");
    flags(command).forEach(flag -> line(indent, "- " + flag));
    var visible =
        new TreeMap<>(command.subcommands())
            .values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(each -> !each.usageMessage().hidden())
                .toList();
    if (!visible.isEmpty()) {
      line(indent, "commands:");
      visible.forEach(each -> command(each, indent));
    }
  }

  /** Helm pairs the n-th single letter with the n-th word: options with a letter come first. */
  private static List<String> flags(CommandSpec command) {
    var options =
        command.options().stream()
            .filter(option -> !option.hidden())
            .sorted(
                Comparator.comparing((OptionSpec option) -> letter(option).isEmpty())
                    .thenComparing(OptionSpec::longestName))
            .toList();
    var flags = new ArrayList<String>();
    options.forEach(option -> flags.add(option.longestName().substring(2)));
    options.stream().map(HelmCompletion::letter).filter(one -> !one.isEmpty()).forEach(flags::add);
    return flags;
  }

  private static String letter(OptionSpec option) {
    return Arrays.stream(option.names())
        .filter(name -> !name.startsWith("--"))
        .map(name -> name.substring(1))
        .findFirst()
        .orElse("");
  }

  private void line(String indent, String text) {
    yaml.append(indent).append(text).append('\n');
  }
}
