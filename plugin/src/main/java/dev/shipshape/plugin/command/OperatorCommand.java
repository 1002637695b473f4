package dev.shipshape.plugin.command;

import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.plugin.release.LeaderStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "operator",
    description = {
      "Show the operator as the leading janitor sees it: whether it is stuck, the signals for that,"
          + " its last restarts and their results, and what happens next. Changes nothing."
    },
    mixinStandardHelpOptions = true)
final class OperatorCommand implements Callable<Integer> {
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    try (var client = options.connect()) {
      var published = LeaderStatus.of(client, options.release());
      output.print(() -> published, () -> table(published));
      return ExitCode.OK;
    }
  }

  private static String table(LeaderStatus published) {
    var lines = new ArrayList<String>();
    var status = published.status();
    var report = status == null ? null : status.operator();
    line(lines, "leader", Objects.requireNonNullElse(published.leader(), "none"));
    if (report == null) {
      line(lines, "diagnosis", OperatorText.line(published.leader() != null, null));
      return String.join(System.lineSeparator(), lines);
    }
    var waiting = report.waiting();
    line(lines, "deployment", report.deployment());
    line(lines, "diagnosis", OperatorText.line(published.leader() != null, report));
    line(lines, "since", report.at().toString());
    line(lines, "signals", report.silence() == null ? "none" : "silence: " + report.silence());
    line(
        lines,
        "waiting",
        waiting == null
            ? null
            : "%d sessions without a Job, the oldest for %s"
                .formatted(waiting.count(), Age.of(waiting.longest())));
    line(lines, "governor", OperatorText.word(report.governor()));
    line(lines, "restarts", report.armed() ? "armed" : "report-only");
    if (report.restarts() != null) {
      restarts(lines, report.restarts());
    }
    line(lines, "next", OperatorText.next(report));
    return String.join(System.lineSeparator(), lines);
  }

  private static void restarts(List<String> lines, OperatorReport.Restarts restarts) {
    line(lines, "last restart", restarts.last() == null ? "none" : restarts.last().toString());
    line(
        lines,
        "by janitors",
        restarts.ours().isEmpty()
            ? "none"
            : "%d in all; the last ones: %s"
                .formatted(
                    restarts.count(),
                    restarts.ours().stream()
                        .map(Object::toString)
                        .collect(Collectors.joining(", "))));
    line(lines, "reason", Objects.requireNonNullElse(restarts.reason(), "none"));
    line(lines, "result", Objects.requireNonNullElse(restarts.result(), "none"));
  }

  private static void line(List<String> lines, String label, @Nullable String text) {
    lines.add("%-14s%s".formatted(label, Objects.requireNonNullElse(text, "not known")));
  }
}
