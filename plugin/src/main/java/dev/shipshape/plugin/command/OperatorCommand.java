package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.OperatorStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "operator",
    description = {
      "Show the operator as the leading janitor sees it: whether it is stuck, the signals for that,"
          + " its last restarts and their results, and what happens next. Changes nothing."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown, whatever the operator's state",
      "2:the command line is wrong",
      "4:could not run, for instance because there is no such release"
    })
final class OperatorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    try (var client = options.connect()) {
      var status = OperatorStatus.of(client, options.release());
      var out = spec.commandLine().getOut();
      out.println(output.text(() -> table(status), () -> JsonOutput.of(status)));
      out.flush();
      return ExitCode.OK;
    }
  }

  private static String table(OperatorStatus status) {
    var lines = new ArrayList<String>();
    line(lines, "deployment", status.deployment());
    line(lines, "diagnosis", status.line());
    var isKnown = status.waitingSessions() != null;
    var signals = status.signals().isEmpty() ? "none" : joined(status.signals());
    line(lines, "signals", isKnown ? signals : null);
    line(
        lines,
        "waiting",
        !isKnown
            ? null
            : "%d sessions without a Job, the oldest for %s s"
                .formatted(status.waitingSessions(), status.longestWaitSeconds()));
    line(lines, "governor", status.governor());
    line(
        lines,
        "restarts",
        status.restartsArmed() == null ? null : status.restartsArmed() ? "armed" : "report-only");
    line(
        lines,
        "last restart",
        status.restartedAt() == null ? "none" : status.restartedAt().toString());
    line(
        lines,
        "by janitors",
        status.restarts().isEmpty()
            ? "none"
            : "%d in all; the last ones: %s"
                .formatted(status.restartCount(), joined(status.restarts())));
    line(lines, "reason", Objects.requireNonNullElse(status.restartReason(), "none"));
    line(lines, "result", Objects.requireNonNullElse(status.restartResult(), "none"));
    line(lines, "next", status.next());
    return String.join(System.lineSeparator(), lines);
  }

  private static String joined(List<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private static void line(List<String> lines, String label, @Nullable String text) {
    lines.add("%-14s%s".formatted(label, Objects.requireNonNullElse(text, "not known")));
  }
}
