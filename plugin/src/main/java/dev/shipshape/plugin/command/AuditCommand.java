package dev.shipshape.plugin.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "audit",
    description = {
      "Reads audit logs of API servers: one chronology, single requests, the history of an object,"
          + " races, two runs compared, who asks most, and limits. Needs no cluster."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      AuditTimelineCommand.class,
      AuditShowCommand.class,
      AuditDiffCommand.class,
      AuditRacesCommand.class,
      AuditCompareCommand.class,
      AuditTopCommand.class,
      AuditBudgetCommand.class
    })
final class AuditCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say which command to run");
  }
}
