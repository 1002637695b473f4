package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.ShellWords;
import java.util.List;
import java.util.Map;

/** This program's name in commands that users can paste. */
final class ProgramName {
  private ProgramName() {}

  static String name() {
    return name(System.getenv());
  }

  /** Helm sets the variable for plugins. */
  static String name(Map<String, String> environment) {
    return environment.getOrDefault("HELM_PLUGIN_DIR", "").isEmpty()
        ? "shipshape"
        : "helm shipshape";
  }

  static String command(List<String> arguments) {
    return name() + " " + ShellWords.join(arguments);
  }
}
