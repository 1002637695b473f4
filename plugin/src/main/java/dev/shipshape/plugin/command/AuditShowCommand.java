package dev.shipshape.plugin.command;

import dev.shipshape.audit.EventSearch;
import dev.shipshape.audit.Times;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description =
        "Prints requests with all that the log says of them: bodies, message, source IPs,"
            + " impersonation, the reason of the authorization. The data of Secrets is hidden.")
final class AuditShowCommand implements Callable<Integer> {
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(
      index = "0",
      paramLabel = "AUDITID|TIME",
      converter = AuditFilterOptions.WordConverter.class,
      description =
          "An auditID, or the beginning of a time in UTC: 2026-11-23T04:05:06.789, 04:05:06.")
  private String which = "";

  @Override
  public Integer call() {
    return run.run(
        () -> {
          var found = EventSearch.find(run.logs(logs.value()), which);
          output.print(
              () -> found.entries().stream().map(EventSearch.Entry::json).toList(),
              () ->
                  found.entries().stream()
                      .map(AuditShowCommand::text)
                      .collect(Collectors.joining("\n")));
          if (found.matched() > found.entries().size()) {
            run.warn(
                "these are %d of %d requests; say more of the time"
                    .formatted(found.entries().size(), found.matched()));
          }
          return found.matched() == 0
              ? new AuditRun.Ending(ExitCode.BAD_INPUT, List.of(found.report()))
              : AuditRun.Ending.of(false, found.report());
        });
  }

  private static String text(EventSearch.Entry entry) {
    return "%s  %s%n%s%n"
        .formatted(Times.format(entry.received()), entry.source(), entry.json().toPrettyString());
  }
}
