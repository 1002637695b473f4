package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;
import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.prune.SessionStats;
import dev.shipshape.service.Durations;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Shows people a run of the pruner. */
final class RunTable {
  private RunTable() {}

  static String ofPlan(RunReport report) {
    var table =
        Table.of(
            report.deletions(),
            column("SESSION", planned -> planned.session().reference()),
            column("AGE", planned -> Durations.format(planned.age())),
            column("UID", planned -> Objects.requireNonNullElse(planned.session().uid(), "")));
    return """
    %s%s%d of %d sessions would be deleted (%d eligible), by the server's clock %s.
    %s
    Nothing was deleted.%s
    """
        .formatted(
            report.deletions().isEmpty() ? "" : table + "\n\n",
            report.message().isEmpty() ? "" : "A run would be stopped: " + report.message() + "\n",
            report.deletions().size(),
            report.stats().total(),
            report.stats().eligible(),
            report.at(),
            staying(report.stats()),
            report.deletions().isEmpty() ? "" : " To delete them, add --confirm.");
  }

  static String of(RunReport report) {
    var table =
        Table.of(
            report.deletions(),
            column("RESULT", deletion -> deletion.result().status().word()),
            column("SESSION", deletion -> deletion.session().reference()),
            column("DETAIL", deletion -> deletion.result().detail()));
    var left = report.stats().eligible() - report.deletions().size();
    return "%s%sRun %s: %s%s%n"
        .formatted(
            report.deletions().isEmpty() ? "" : table + "\n\n",
            report.message().isEmpty() ? "" : "Stopped: " + report.message() + "\n",
            report.run(),
            report.outcome(),
            left > 0 && !report.results().isEmpty()
                ? "; %d more are left for the next run".formatted(left)
                : "");
  }

  private static String staying(SessionStats stats) {
    var kept = stats.kept();
    var sum = kept.values().stream().mapToInt(Integer::intValue).sum();
    var reasons =
        kept.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> "%s=%d".formatted(written(entry.getKey()), entry.getValue()))
            .collect(Collectors.joining(", "));
    return "%d stay%s"
        .formatted(sum, reasons.isEmpty() ? "." : " (the command sessions shows each): " + reasons);
  }
}
