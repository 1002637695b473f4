package dev.shipshape.plugin.command;

import static dev.shipshape.service.Section.written;

import dev.shipshape.audit.UnreadableLog;
import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.LogReview;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.Signature;
import dev.shipshape.plugin.release.LeaderStatus;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "operator",
    description = {
      "Show the operators as the leading janitor sees them: whether one is stuck, the signals for"
          + " that, its last restarts and their results, and what happens next.",
      "With --log: judge a log without a cluster, and show which lines count as what.",
      "Changes nothing."
    })
final class OperatorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final NamespaceOption namespace = new NamespaceOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "A log with a time in its lines, as of kubectl logs --timestamps; - for standard input."
              + " Of one container, the oldest line first.")
  private @Nullable Path log;

  @Option(
      names = "--signature",
      paramLabel = "NAME",
      description =
          "With --log: a shipped signature, or a file that ends in .yaml. Default: each shipped"
              + " one, without lines.")
  private @Nullable String signature;

  @Override
  public Integer call() throws BadSettings {
    if (log != null) {
      return judge(log);
    }
    if (signature != null) {
      throw new ParameterException(spec.commandLine(), "--signature is for --log FILE");
    }
    try (var client = cluster.connect()) {
      var published = LeaderStatus.of(client, namespace.value());
      output.print(() -> published, () -> text(published));
      return ExitCode.OK;
    }
  }

  private int judge(Path file) throws BadSettings {
    var isInput = file.toString().equals("-");
    if (!isInput && (!Files.exists(file) || Files.isRegularFile(file))) {
      return judgeFile(file);
    }
    try (var in = isInput ? System.in : Files.newInputStream(file)) {
      // Each signature reads the log, and a pipe can be read only once.
      var copy = Files.createTempFile("shipshape-log", "");
      copy.toFile().deleteOnExit();
      try {
        Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        return judgeFile(copy);
      } finally {
        Files.delete(copy);
      }
    } catch (IOException e) {
      throw new BadSettings(
          List.of("%s: could not be read: %s".formatted(file, UnreadableLog.reason(e))));
    }
  }

  private int judgeFile(Path file) throws BadSettings {
    var reviews = new ArrayList<LogReview>();
    for (var each : signatures()) {
      reviews.add(LogReview.of(file, each));
    }
    var isOne = signature != null;
    output.print(
        () -> isOne ? reviews.getFirst() : reviews,
        () ->
            reviews.stream()
                .map(review -> text(review, isOne))
                .collect(Collectors.joining(System.lineSeparator())));
    var diagnoses = reviews.stream().map(LogReview::diagnosis).collect(Collectors.toSet());
    return diagnoses.contains(Diagnosis.Kind.STUCK)
        ? ExitCode.FOUND
        : diagnoses.contains(Diagnosis.Kind.UNREADABLE) ? ExitCode.BAD_INPUT : ExitCode.OK;
  }

  private List<Signature> signatures() throws BadSettings {
    if (signature == null) {
      return Signature.SHIPPED.stream().map(Signature::shipped).toList();
    }
    if (signature.endsWith(".yaml")) {
      return List.of(SettingsReader.read(Path.of(signature), Signature::read));
    }
    try {
      return List.of(Signature.named(signature, List.of()));
    } catch (IllegalArgumentException e) {
      throw new BadSettings(List.of("--signature: " + e.getMessage()));
    }
  }

  private static String text(LogReview review, boolean withLines) {
    var lines = new ArrayList<String>();
    if (withLines) {
      for (var match : review.matches()) {
        lines.add(
            "%6d  %-13s %s  %s".formatted(match.line(), match.as(), match.time(), match.text()));
      }
      line(
          lines,
          "lines",
          "%d, from %s to %s".formatted(review.lines(), review.first(), review.last()));
    }
    line(lines, "signature", review.signature());
    var matchesNothing = review.counts().isEmpty();
    line(lines, "counts", matchesNothing ? "no line matches" : review.counts().toString());
    line(
        lines,
        "at its end",
        matchesNothing && review.diagnosis() == Diagnosis.Kind.HEALTHY
            ? "healthy, or of another client than the signature is for"
            : written(review.diagnosis())
                + (review.detail().isEmpty() ? "" : ": " + review.detail()));
    if (review.diagnosis() == Diagnosis.Kind.STUCK) {
      line(lines, "remedy", written(review.remedy()) + ": " + review.advice());
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String text(LeaderStatus published) {
    var lines = new ArrayList<String>();
    var status = published.status();
    var reports = status == null ? List.<OperatorReport>of() : status.operators();
    var leader = OperatorText.leader(published.leader(), published.leaderProblem());
    var isLed = leader.isPresent();
    line(lines, "leader", leader.orElse("none"));
    if (reports.isEmpty()) {
      line(lines, "diagnosis", OperatorText.line(isLed, null));
    }
    for (var report : reports) {
      report(lines, isLed, report);
      line(lines, "next", isLed ? OperatorText.next(report) : "nothing until a janitor leads");
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static void report(List<String> lines, boolean isLed, OperatorReport report) {
    line(lines, "operator", report.operator());
    line(lines, "workload", report.workload().toString());
    line(lines, "signature", report.signature());
    line(lines, "diagnosis", OperatorText.line(isLed, report));
    line(lines, "since", report.at().toString());
    line(lines, "signals", report.silence() == null ? "none" : "silence: " + report.silence());
    line(lines, "governor", report.governor() == null ? "ready" : written(report.governor()));
    line(lines, "restarts", report.armed() ? "armed" : "report-only");
    if (report.restarts() != null) {
      restarts(lines, report.restarts());
    }
  }

  private static void restarts(List<String> lines, OperatorReport.Restarts restarts) {
    line(lines, "last restart", restarts.last() == null ? "none" : restarts.last().toString());
    line(
        lines,
        "by janitors",
        restarts.ours().isEmpty()
            ? "none"
            : restarts.ours().stream().map(Object::toString).collect(Collectors.joining(", ")));
    line(lines, "reason", Objects.requireNonNullElse(restarts.reason(), "none"));
    line(lines, "result", Objects.requireNonNullElse(restarts.result(), "none"));
  }

  private static void line(List<String> lines, String label, @Nullable String text) {
    lines.add("%-14s%s".formatted(label, Objects.requireNonNullElse(text, "not known")));
  }
}
