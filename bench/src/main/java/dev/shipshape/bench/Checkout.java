package dev.shipshape.bench;

import java.nio.file.Path;
import java.util.List;

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

  /** The webhook as the image starts it: with the runtime, options and AOT cache that ship. */
  List<String> webhook() {
    var runtime = root.resolve("packaging/target/dist/runtime");
    return List.of(
        runtime.resolve("bin/java").toString(),
        // As the chart limits the container's memory.
        "-XX:MaxRAM=256m",
        "-XX:AOTCache=" + runtime.resolve("lib/webhook.aot"),
        "@" + runtime.resolve("options/common"),
        "@" + runtime.resolve("options/webhook"),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        runtime.resolve("lib/shipshape.jar").toString(),
        "dev.shipshape.plugin.command.Shipshape",
        "webhook");
  }
}
