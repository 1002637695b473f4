package dev.shipshape.plugin.command;

import picocli.CommandLine.Command;

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
final class AuditCommand {}
