package dev.shipshape.packaging;

import java.util.ArrayList;
import java.util.List;

/** The command line that starts the shipped runtime. */
final class Entrypoint {
  private static final String MAIN_CLASS = "dev.shipshape.plugin.command.Shipshape";

  private Entrypoint() {}

  /**
   * Returns the command, without the program's own arguments.
   *
   * @param home the runtime's folder on the machine where it will run
   */
  static List<String> command(String home, Role role) {
    return command(home, role, List.of("-XX:AOTCache=" + home + "/" + role.cache()));
  }

  /** Returns the command with other options in place of the cache. */
  static List<String> command(String home, Role role, List<String> options) {
    var command = new ArrayList<String>();
    command.add(home + "/bin/java");
    command.addAll(options);
    command.add("@" + home + "/options/common");
    command.add("@" + home + "/" + role.options());
    command.add("--enable-native-access=ALL-UNNAMED");
    // With -jar, the JVM would read the jar's long directory twice.
    command.addAll(List.of("-cp", home + "/" + RuntimeFolder.JAR, MAIN_CLASS));
    return command;
  }
}
