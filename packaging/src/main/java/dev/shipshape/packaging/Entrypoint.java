package dev.shipshape.packaging;

import java.util.ArrayList;
import java.util.List;

/** How the shipped runtime is started, wherever it lies. */
final class Entrypoint {
  private static final String MAIN_CLASS = "dev.shipshape.plugin.command.Shipshape";

  private Entrypoint() {}

  /**
   * The whole command, to which only the program's own arguments are added.
   *
   * @param home the runtime's folder on the machine where it will run
   */
  static List<String> command(String home, Role role) {
    return command(home, role, List.of("-XX:AOTCache=" + home + "/" + role.cache()));
  }

  /** The same with other options in place of the cache. */
  static List<String> command(String home, Role role, List<String> options) {
    var command = new ArrayList<String>();
    command.add(home + "/bin/java");
    command.addAll(options);
    command.add("@" + home + "/options/common");
    command.add("@" + home + "/" + role.options());
    command.add("--enable-native-access=ALL-UNNAMED");
    // Not -jar, for which the JVM would read the jar's long directory twice.
    command.addAll(List.of("-cp", home + "/" + RuntimeFolder.JAR, MAIN_CLASS));
    return command;
  }
}
