package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.ShellWords;
import java.util.List;
import java.util.Map;

/** How this program is called, for commands that people may paste. */
final class ProgramName {
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
    return name() + " " + ShellWords.join(arguments);
  }
}
