package dev.shipshape.plugin.command;

import java.util.List;
import picocli.CommandLine.Parameters;

/** The parameter of commands that only take logs. */
final class AuditLogsParameter {
  static final String DESCRIPTION =
      "Files, plain, packed or archives; folders with all files below; - for standard input."
          + " Events are found in whatever wraps them.";

  @Parameters(paramLabel = "LOG", arity = "1..*", description = DESCRIPTION)
  private List<String> logs = List.of();

  List<String> value() {
    return logs;
  }
}
