package dev.shipshape.plugin.command;

import dev.shipshape.audit.Chronology;
import dev.shipshape.audit.ReadReport;
import dev.shipshape.audit.Text;
import dev.shipshape.audit.UnreadableLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all commands on audit logs share: --strict, the exit code, and the report of unread lines.
 */
final class AuditRun {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--strict",
      description = "End with 3 if a line of a log cannot be read. Such lines are always named.")
  private boolean strict;

  /** The work of one command. */
  interface Work {
    /** Returns the exit code, and what was read. */
    Ending run() throws IOException;
  }

  record Ending(int exitCode, List<ReadReport> reports) {
    static Ending of(boolean found, ReadReport... reports) {
      return new Ending(found ? ExitCode.FOUND : ExitCode.OK, List.of(reports));
    }
  }

  int run(Work work) {
    try {
      var ending = work.run();
      ending.reports().forEach(this::report);
      var broken = ending.reports().stream().anyMatch(report -> report.unread() > 0);
      var cut =
          ending.reports().stream()
              .flatMap(report -> report.logs().stream())
              .anyMatch(ReadReport.Log::isCut);
      var empty = ending.reports().stream().anyMatch(report -> report.events() == 0);
      // Without any event there is no result.
      return empty || cut || (strict && broken) ? ExitCode.BAD_INPUT : ending.exitCode();
    } catch (UnreadableLog e) {
      warn(String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT;
    } catch (IOException e) {
      return failedOutput(ExitCode.OK, e, err());
    }
  }

  /** A reader that has closed the pipe, as "| head" does, is no failure. */
  static int failedOutput(int exit, IOException failure, PrintWriter err) {
    if (String.valueOf(failure.getMessage()).startsWith("Broken pipe")) {
      return exit;
    }
    err.println("shipshape: " + Text.printable(String.valueOf(failure.getMessage())));
    return ExitCode.COULD_NOT_RUN;
  }

  Chronology.Logs logs(List<String> logs) {
    var folder = System.getenv("TMPDIR");
    return new Chronology.Logs(
        logs, System.in, Path.of(folder == null ? System.getProperty("java.io.tmpdir") : folder));
  }

  /**
   * Returns standard output for bytes: logs are UTF-8, whatever the terminal's encoding is. Do not
   * close it.
   */
  static OutputStream standardOutput() {
    return new FileOutputStream(FileDescriptor.out);
  }

  private void report(ReadReport report) {
    report.logs().stream()
        .filter(log -> log.unread() > 0 || log.events() == 0)
        .forEach(log -> warn(log.toString()));
    if (report.events() == 0) {
      warn("there is no audit event in the logs, so there is no result");
    } else if (report.matched() == 0) {
      warn(
          "none of the %d events matches (resources are plurals such as pods, verbs as in the log)"
              .formatted(report.events()));
    }
  }

  void warn(String text) {
    err().println(Text.printableLine("shipshape: " + text));
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
