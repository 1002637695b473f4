package dev.shipshape.plugin;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.service.BadSettings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the commands that read the janitor's settings have in common. */
final class JanitorOptions {
  @Option(
      names = "--settings",
      paramLabel = "FILE",
      defaultValue = "janitor.yaml",
      description = "The janitor's settings file. Default: ${DEFAULT-VALUE}")
  private Path settings = Path.of("janitor.yaml");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private Output output = Output.TABLE;

  /** Reads the settings file. */
  JanitorSettings settings() throws BadSettings {
    return JanitorSettings.read(settings);
  }

  Output output() {
    return output;
  }
}
