package dev.shipshape.plugin.command;

import picocli.CommandLine.Option;

/** For commands that answer people and programs. */
final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private Output output = Output.TABLE;

  Output value() {
    return output;
  }
}
