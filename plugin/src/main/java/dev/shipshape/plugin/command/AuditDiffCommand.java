package dev.shipshape.plugin.command;

import dev.shipshape.audit.ObjectHistory;
import dev.shipshape.audit.ObjectPattern;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "diff",
    description =
        "Prints how an object changed from one response to the next, separately for each uid."
            + " The data of Secrets is hidden.")
final class AuditDiffCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();

  @Parameters(
      index = "0",
      paramLabel = "RESOURCE/[NAMESPACE/]NAME",
      description = "The object; * for any characters.")
  private ObjectPattern object = ObjectPattern.parse("*/*");

  @Override
  public Integer call() {
    if (filter.hasObjects()) {
      throw new ParameterException(spec.commandLine(), "the object is given without --object");
    }
    return run.run(
        () ->
            AuditRun.Ending.of(
                false,
                ObjectHistory.write(
                    run.logs(logs.value()),
                    filter.filter(List.of(object)),
                    AuditRun.standardOutput())));
  }
}
