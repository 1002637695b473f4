package dev.shipshape.plugin;

import dev.shipshape.plugin.release.Values;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** What a user says about the chart's values, as to Helm itself. */
final class ValueOptions {
  @Option(
      names = {"-f", "--values"},
      paramLabel = "FILE",
      description = "A values file; may be said again, later ones win.")
  private List<Path> files = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One value, such as image.tag=0.1.0; may be said again.")
  private List<String> sets = List.of();

  Values values() {
    return new Values(files, sets);
  }
}
