package dev.shipshape.plugin.command;

import dev.shipshape.service.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of install and upgrade: the chart, its values, and how to apply them. */
final class DeployOptions {
  private static final Pattern STANDARD_INPUT = Pattern.compile("-|/dev/(stdin|fd/).*|/proc/.*");

  @Option(
      names = "--chart",
      paramLabel = "CHART",
      description =
          "The chart: a folder, an archive or a reference. Default: the one in this plugin.")
  private @Nullable String chart;

  @Option(
      names = {"-f", "--values"},
      paramLabel = "FILE",
      description = "A values file or its URL; repeatable, the last one wins.")
  private List<String> files = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One value, such as image.tag=0.1.0; repeatable.")
  private List<String> sets = List.of();

  @Option(
      names = "--set-string",
      paramLabel = "KEY=VALUE",
      description = "One value that is a text, such as podLabels.year=2026; repeatable.")
  private List<String> strings = List.of();

  @Option(
      names = "--set-file",
      paramLabel = "KEY=FILE",
      description =
          "One value that is a file's content, such as certificates.caBundle=ca.crt; repeatable.")
  private List<String> contents = List.of();

  @Option(
      names = "--set-json",
      paramLabel = "KEY=JSON",
      description = "One value as JSON; repeatable.")
  private List<String> json = List.of();

  @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long to wait until it is ready. Default: 5m")
  private Duration timeout = Duration.ofMinutes(5);

  /** Returns the values as flags for Helm. */
  List<String> values() {
    // Helm reads them more than once, and its standard input is this program's.
    Stream.concat(files.stream(), contents.stream().map(each -> each.replaceFirst("^.*?=", "")))
        .filter(file -> STANDARD_INPUT.matcher(file).matches())
        .findFirst()
        .ifPresent(
            file -> {
              throw new StartFailure(
                  "values cannot be read from standard input or a pipe (%s): name a file"
                      .formatted(file));
            });
    // Helm applies them in this order, too, whatever their order on the command line.
    var flags = new ArrayList<String>();
    files.forEach(file -> flags.add("--values=" + file));
    json.forEach(each -> flags.add("--set-json=" + each));
    sets.forEach(each -> flags.add("--set=" + each));
    strings.forEach(each -> flags.add("--set-string=" + each));
    contents.forEach(each -> flags.add("--set-file=" + each));
    return flags;
  }

  boolean isDryRun() {
    return dryRun;
  }

  Duration timeout() {
    return timeout;
  }

  /**
   * Returns the chart's folder or reference.
   *
   * @throws StartFailure if none was given and this program has none beside it
   */
  String chart() {
    if (chart != null) {
      return chart;
    }
    return Optional.ofNullable(System.getProperty("shipshape.home"))
        .or(() -> Optional.ofNullable(System.getenv("HELM_PLUGIN_DIR")))
        .map(home -> Path.of(home, "chart"))
        .filter(folder -> Files.isRegularFile(folder.resolve("Chart.yaml")))
        .map(Path::toString)
        .orElseThrow(
            () -> new StartFailure("this installation carries no chart: name one by --chart"));
  }
}
