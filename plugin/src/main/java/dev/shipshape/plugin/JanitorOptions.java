package dev.shipshape.plugin;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands that read the janitor's settings have in common. */
final class JanitorOptions {
  private static final Path DEFAULT = Path.of("janitor.yaml");

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      defaultValue = "janitor.yaml",
      description = "The janitor's settings file. Default: ${DEFAULT-VALUE}")
  private Path settings = DEFAULT;

  @Mixin private final OutputOption output = new OutputOption();

  /** Reads the settings file. */
  JanitorSettings settings() throws BadSettings {
    return JanitorSettings.read(settings);
  }

  /** What was said of the file, for another command. */
  List<String> flags() {
    return settings.equals(DEFAULT) ? List.of() : List.of("--settings", settings.toString());
  }

  Output output() {
    return output.value();
  }
}
