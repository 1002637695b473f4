package dev.shipshape.plugin.command;

import dev.shipshape.audit.AuditEvent;
import dev.shipshape.audit.RunComparison;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "compare",
    description = {
      "Compares the audit logs of two runs, a good and a bad one: which requests, codes and field"
          + " values differ first, for each actor.",
      "Names that Kubernetes or a test runner makes up, uids, resourceVersions and times do not"
          + " count; neither do leases and events."
    })
final class AuditCompareCommand implements Callable<Integer> {
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--same",
      paramLabel = "BEFORE=AFTER",
      description =
          "A name of the first run and what the second one calls the same, where it is not found"
              + " out. Repeatable.")
  private Map<String, String> same = Map.of();

  @Parameters(
      index = "0",
      paramLabel = "BEFORE",
      description = "A file, folder or -: the first run.")
  private String before = "";

  @Parameters(
      index = "1",
      paramLabel = "AFTER",
      description = "A file, folder or -: the second run.")
  private String after = "";

  @Override
  public Integer call() {
    return run.run(
        () -> {
          var result =
              RunComparison.of(
                  run.logs(List.of(before)), run.logs(List.of(after)), filter.filter(), byAfter());
          filter.warnOfUnmatched(run);
          for (var each : result.taken().entrySet()) {
            run.warn(
                "%s in AFTER is taken for %s in BEFORE".formatted(each.getKey(), each.getValue()));
          }
          if (result.before().matched() == 0 || result.after().matched() == 0) {
            return new AuditRun.Ending(
                ExitCode.BAD_INPUT, List.of(result.before(), result.after()));
          }
          output.print(result::differences, () -> text(result));
          if (result.comparedNothing()) {
            run.warn(
                "no request can be compared: leases, events, reviews and watches are left out");
            return new AuditRun.Ending(
                ExitCode.BAD_INPUT, List.of(result.before(), result.after()));
          }
          if (result.withoutBody() > 0) {
            run.warn(
                "%d writes have no body in the logs, so their content is not compared"
                    .formatted(result.withoutBody()));
          }
          return AuditRun.Ending.of(
              !result.differences().isEmpty() || result.withoutBody() > 0,
              result.before(),
              result.after());
        });
  }

  private Map<String, String> byAfter() {
    return same.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey, (first, _) -> first));
  }

  private static String text(RunComparison.Result result) {
    var text = new StringBuilder();
    if (!result.differences().isEmpty()) {
      text.append("%d differences, the earliest first:\n".formatted(result.differences().size()));
    }
    for (var each : result.differences()) {
      text.append(
          "+%.6fs  %s  %s: %s\n"
              .formatted(each.seconds(), each.actor(), each.what(), each.difference()));
      text.append(each.follows().isEmpty() ? "" : "    after: %s\n".formatted(each.follows()));
      text.append(line("BEFORE", each.before())).append(line("AFTER ", each.afterwards()));
    }
    return text.toString();
  }

  private static String line(String which, @Nullable AuditEvent event) {
    return event == null ? "" : "    %s %s\n".formatted(which, AuditRacesCommand.line(event));
  }
}
