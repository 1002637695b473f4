package dev.shipshape.plugin;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands that read the janitor's settings have in common. */
final class JanitorOptions {
  @Option(
      names = "--settings",
      paramLabel = "FILE",
      defaultValue = "janitor.yaml",
      description = "The janitor's settings file. Default: ${DEFAULT-VALUE}")
  private Path settings = Path.of("janitor.yaml");

  @Mixin private final OutputOption output = new OutputOption();

  /** Reads the settings file. */
  JanitorSettings settings() throws BadSettings {
    return JanitorSettings.read(settings);
  }

  Output output() {
    return output.value();
  }
}
