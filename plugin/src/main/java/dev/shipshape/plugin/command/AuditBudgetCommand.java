package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;

import dev.shipshape.audit.Budget;
import dev.shipshape.audit.Text;
import dev.shipshape.audit.TextPattern;
import dev.shipshape.plugin.review.JunitReport;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Section;
import dev.shipshape.service.SettingsReader;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "budget",
    description =
        "Checks what actors asked of the API server against limits: requests, bytes of their"
            + " events, and writes that changed nothing.",
    footerHeading = "%nA budget:%n",
    footer = {
      "  apiVersion: shipshape.dev/v1",
      "  limits:                          # the first one that matches counts for an actor",
      "  - actor: system:serviceaccount:shipshape:*",
      "    requests: 500",
      "    bytes: 5000000",
      "    noOps: 0"
    })
final class AuditBudgetCommand implements Callable<Integer> {
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();

  @Option(names = "--junit", paramLabel = "FILE", description = "Also write a JUnit report.")
  private @Nullable Path junit;

  @Parameters(index = "0", paramLabel = "BUDGET", description = "The limits, a YAML file.")
  private Path file = Path.of("");

  @Override
  public Integer call() throws BadSettings {
    var budget = read(file);
    return run.run(
        () -> {
          var result = budget.check(run.logs(logs.value()), filter.filter());
          run.out().println(Text.printable(table(result)));
          result
              .unused()
              .forEach(
                  limit -> run.out().printf("no actor in the logs matches %s%n", limit.actor()));
          filter.warnOfUnmatched(run);
          if (junit != null) {
            writeJunit(junit, result);
          }
          return AuditRun.Ending.of(result.isOver() || !result.unused().isEmpty(), result.report());
        });
  }

  /** Reads a budget. Reports every mistake, with its line and field. */
  static Budget read(Path file) throws BadSettings {
    return SettingsReader.read(
        file,
        top -> {
          var limits = top.sections("limits");
          if (limits.isEmpty()) {
            top.problem("limits", "must have at least one limit");
          }
          return new Budget(limits.stream().map(AuditBudgetCommand::limit).toList());
        });
  }

  private static Budget.Limit limit(Section section) {
    if (!section.has("requests") && !section.has("bytes") && !section.has("noOps")) {
      section.problem("actor", "has no limit: say requests, bytes or noOps");
    }
    return new Budget.Limit(
        TextPattern.of(section.required("actor")),
        number(section, "requests"),
        number(section, "bytes"),
        number(section, "noOps"));
  }

  private static OptionalLong number(Section section, String field) {
    return section.has(field)
        ? OptionalLong.of(section.parsed(field, 0L, AuditBudgetCommand::count))
        : OptionalLong.empty();
  }

  private static long count(String text) {
    try {
      var count = Long.parseLong(text);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // The caller reports it.
    }
    throw new IllegalArgumentException("must be a whole number, 0 or more");
  }

  private static String table(Budget.Result result) {
    return Table.of(
        result.checks(),
        column("ACTOR", Budget.Check::actor),
        column("WHAT", Budget.Check::what),
        column("USED", check -> Long.toString(check.used())),
        column("LIMIT", check -> Long.toString(check.limit())),
        column("", AuditBudgetCommand::verdict));
  }

  private static String verdict(Budget.Check check) {
    if (check.unjudged() > 0) {
      return "%d writes have no response body or code in the log".formatted(check.unjudged());
    }
    return check.isOver() ? "OVER" : "ok";
  }

  private static void writeJunit(Path file, Budget.Result result) {
    var report = new JunitReport("audit budget");
    result
        .checks()
        .forEach(
            check ->
                report.add(
                    check.actor() + " " + check.what(),
                    check.isOver()
                        ? "used %d, the limit is %d: %s"
                            .formatted(check.used(), check.limit(), verdict(check))
                        : ""));
    result
        .unused()
        .forEach(limit -> report.add(limit.actor().toString(), "no actor in the logs matches"));
    ReviewCommand.write(file, report.xml());
  }
}
