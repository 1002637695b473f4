package dev.shipshape.plugin.command;

import java.util.List;
import picocli.CommandLine.Parameters;

/** The logs, behind a command's other parameters. */
final class AuditLogsParameter {
  @Parameters(
      index = "0+..*",
      paramLabel = "LOG",
      arity = "1..*",
      description =
          "Files, plain, packed or archives; folders with all files below; - for standard input."
              + " Events are found in whatever wraps them.")
  private List<String> logs = List.of();

  List<String> value() {
    return logs;
  }
}
