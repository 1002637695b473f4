package dev.shipshape.plugin.command;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How this program is called, for commands that people may paste. */
final class ProgramName {
  /** What no shell reads otherwise. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ProgramName() {}

  static String name() {
    return name(System.getenv());
  }

  /** Helm says where the plugin lies to whatever it calls. */
  static String name(Map<String, String> environment) {
    return environment.getOrDefault("HELM_PLUGIN_DIR", "").isEmpty()
        ? "shipshape"
        : "helm shipshape";
  }

  /** A command in full. */
  static String command(List<String> arguments) {
    return Stream.concat(Stream.of(name()), arguments.stream().map(ProgramName::quoted))
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
