package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;

import dev.shipshape.audit.Times;
import dev.shipshape.audit.Top;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "top",
    description = {
      "Counts requests by actor, object, verb and others (--by). Bytes are those of the events'"
          + " JSON. Latencies are without watches and connections, and at most a tenth too"
          + " high.",
      "A write is a no-op if the object had the response's resourceVersion before."
    })
final class AuditTopCommand implements Callable<Integer> {
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "actor",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private Top.By by = Top.By.ACTOR;

  @Override
  public Integer call() {
    return run.run(
        () -> {
          var result = Top.of(run.logs(logs.value()), filter.filter(), by);
          output.print(() -> result.rows(), () -> table(result.rows()));
          filter.warnOfUnmatched(run);
          return AuditRun.Ending.of(false, result.report());
        });
  }

  private String table(List<Top.Row> rows) {
    return Table.of(
        rows,
        column(by.toString().toUpperCase(Locale.ROOT), Top.Row::key),
        column("REQUESTS", row -> Long.toString(row.requests())),
        column("SHARE", row -> "%.1f%%".formatted(100 * row.share())),
        column("BYTES", row -> Long.toString(row.bytes())),
        column("P50", row -> latency(row.p50Micros())),
        column("P99", row -> latency(row.p99Micros())),
        column("WRITES", row -> Long.toString(row.writes())),
        column("NO-OPS", AuditTopCommand::noOps));
  }

  private static String latency(long micros) {
    return micros == 0 ? "-" : Times.duration(micros);
  }

  private static String noOps(Top.Row row) {
    if (row.writes() == 0) {
      return "-";
    }
    return row.unjudged() > 0
        ? "%d, %d not judged".formatted(row.noOps(), row.unjudged())
        : "%d (%.1f%%)".formatted(row.noOps(), 100.0 * row.noOps() / row.writes());
  }
}
