package dev.shipshape.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.Kubeconfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The plugin as a process of its own, as Helm starts it, with a script in Helm's place.
 *
 * @param folder for its files
 * @param server the API server, which takes it for an administrator
 */
record PluginProcess(Path folder, URI server) {
  /** What it came to, and all that it printed. */
  record Ended(int exit, String said) {}

  /** What the script does; it writes down how it is called. */
  void helm(String script) throws IOException {
    var text = "#!/bin/sh\necho \"$*\" >> '%s/calls'\n%s\n".formatted(folder, script);
    var helm = Files.writeString(folder.resolve("helm"), text);
    Files.setPosixFilePermissions(helm, PosixFilePermissions.fromString("rwx------"));
  }

  /** How Helm was called. */
  List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  Ended run(String... arguments) throws Exception {
    var config = folder.resolve("config");
    Files.writeString(config, Kubeconfig.anybodyAt(server.toString()));
    var said = folder.resolve("said");
    var line = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Shipshape.class.getName()));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--kubeconfig", config.toString()));
    var builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().put("HELM_BIN", folder.resolve("helm").toString());
    var process = builder.start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return new Ended(process.exitValue(), Files.readString(said));
    } finally {
      process.destroyForcibly();
    }
  }
}
