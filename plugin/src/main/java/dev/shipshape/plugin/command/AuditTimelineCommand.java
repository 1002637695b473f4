package dev.shipshape.plugin.command;

import dev.shipshape.audit.Timeline;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "timeline",
    description =
        "Prints the requests of several API servers in the order in which they were received, to"
            + " the microsecond.",
    mixinStandardHelpOptions = true)
final class AuditTimelineCommand implements Callable<Integer> {
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: table, csv, json (one object a line), html. Default: table")
  private Timeline.Form form = Timeline.Form.TABLE;

  @Option(
      names = "--all-stages",
      description = "A line for each stage of a request, not only for the last one.")
  private boolean allStages;

  @Override
  public Integer call() {
    return run.run(
        () ->
            AuditRun.Ending.of(
                false,
                Timeline.write(
                    run.logs(logs.value()),
                    filter.filter(),
                    allStages,
                    form,
                    AuditRun.standardOutput())));
  }
}
