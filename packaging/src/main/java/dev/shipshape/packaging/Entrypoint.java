package dev.shipshape.packaging;

import java.util.ArrayList;
import java.util.List;

/** How the shipped runtime is started, wherever it lies. */
final class Entrypoint {
  static final String MAIN_CLASS = "dev.shipshape.plugin.Shipshape";

  /** Named in cache and start alike: the JVM refuses a cache made with another main module. */
  static final List<String> MODULE =
      List.of(
          "--enable-native-access=" + ApplicationModule.NAME,
          "-m",
          ApplicationModule.NAME + "/" + MAIN_CLASS);

  private Entrypoint() {}

  /**
   * The whole command, to which only the program's own arguments are added.
   *
   * @param home the runtime's folder on the machine where it will run
   */
  static List<String> command(String home, Role role) {
    var command = new ArrayList<String>();
    command.add(home + "/bin/java");
    command.add("-XX:AOTCache=" + home + "/" + role.cache());
    command.addAll(options(home, role));
    command.addAll(MODULE);
    return command;
  }

  /** The JVM's options for a role, but not the cache. */
  static List<String> options(String home, Role role) {
    return List.of("@" + home + "/options/common", "@" + home + "/" + role.options());
  }
}
