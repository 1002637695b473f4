package dev.shipshape.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where things are: the checkout, as built by {@code bench/run}. */
record Checkout(Path root) {
  /** A file of the bench's own. */
  Path target(String name) {
    return root.resolve("bench/target").resolve(name);
  }

  /** A program that was built from Go. */
  String program(String name) {
    return target("bin").resolve(name).toString();
  }

  /** The options that the webhook's JVM is started with wherever it runs. */
  List<String> webhookOptions() {
    var options = root.resolve("plugin/options");
    return List.of(
        "@" + options.resolve("common"),
        "@" + options.resolve("webhook"),
        "--enable-native-access=ALL-UNNAMED");
  }

  /** What the webhook ships as: jars, in an order that stays the same. */
  String classPath() throws IOException {
    var plugin = root.resolve("plugin/target");
    try (var libraries = Files.list(plugin.resolve("lib"))) {
      return Stream.concat(Stream.of(plugin.resolve("shipshape.jar")), libraries.sorted())
          .map(Path::toString)
          .collect(Collectors.joining(":"));
    }
  }
}
