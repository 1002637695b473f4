package dev.shipshape.plugin.command;

import dev.shipshape.audit.Timeline;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "timeline",
    description =
        "Prints the requests of several API servers in the order in which they were received, to"
            + " the microsecond.")
final class AuditTimelineCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: table, wide, csv, json (one object a line), html. Default: table")
  private Timeline.Form form = Timeline.Form.TABLE;

  @Option(names = "--bodies", description = "With -o json: what was sent and answered, too.")
  private boolean bodies;

  @Option(
      names = "--follow",
      description =
          "Go on as the file grows, also through its rotation. Rows come in the order of the file;"
              + " each request when it is answered.")
  private boolean follow;

  @Override
  public Integer call() {
    if (bodies && form != Timeline.Form.JSON) {
      throw new ParameterException(spec.commandLine(), "--bodies goes with -o json");
    }
    if (follow && (logs.value().size() > 1 || form == Timeline.Form.HTML)) {
      throw new ParameterException(
          spec.commandLine(), "--follow goes with one file or -, and with rows");
    }
    return run.run(
        () -> {
          var all = run.logs(logs.value());
          var out = AuditRun.standardOutput();
          var report =
              follow
                  ? Timeline.follow(all, filter.filter(), bodies, form, out, run::warn)
                  : Timeline.write(all, filter.filter(), bodies, form, out);
          filter.warnOfUnmatched(run);
          return AuditRun.Ending.of(false, report);
        });
  }
}
