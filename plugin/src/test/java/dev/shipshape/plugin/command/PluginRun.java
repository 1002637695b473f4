package dev.shipshape.plugin.command;

import dev.shipshape.sandbox.Kubeconfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands of the plugin, with a script in Helm's place.
 *
 * @param folder for files
 * @param namespace of the release, which no other test has
 * @param server the API server, which takes it for an administrator
 */
record PluginRun(Path folder, String namespace, URI server) {
  private static final Path SCRIPTS = Path.of("target/helm");

  /** What it came to, and all that it printed. */
  record Ended(int exit, String said) {}

  /** What Helm does in the namespace; it writes down how it is called. */
  void helm(String script) throws IOException {
    Files.createDirectories(SCRIPTS);
    Files.writeString(
        SCRIPTS.resolve(namespace), "echo \"$*\" >> '%s/calls'\n%s\n".formatted(folder, script));
  }

  /** How Helm was called. */
  List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  Ended run(String... arguments) throws IOException {
    var config =
        Files.writeString(folder.resolve("config"), Kubeconfig.anonymous(server.toString()));
    var line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("--kubeconfig", config.toString()));
    var said = new StringWriter();
    var writer = new PrintWriter(said, true);
    var exit = Shipshape.run(writer, writer, line.toArray(String[]::new));
    return new Ended(exit, said.toString());
  }
}
