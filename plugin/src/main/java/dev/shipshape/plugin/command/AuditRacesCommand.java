package dev.shipshape.plugin.command;

import static dev.shipshape.service.Section.written;

import dev.shipshape.audit.AuditEvent;
import dev.shipshape.audit.Race;
import dev.shipshape.audit.Races;
import dev.shipshape.audit.TextPattern;
import dev.shipshape.audit.Times;
import dev.shipshape.service.Section;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "races",
    description = {
      "Finds requests that got in each other's way, and prints those that prove it.",
      "take-over: an object was created again and took over what its predecessor owned",
      "recreated: an object was created again before all that its predecessor owned was gone",
      "vanished: an object was deleted while a pod that had not started needed it",
      "fight: a writer sets a field and another one sets it back",
      "lost-update: a write (no create) was refused with 409: another one had won",
      "no-op: writes that changed nothing"
    })
final class AuditRacesCommand implements Callable<Integer> {
  @Mixin private final AuditRun run = new AuditRun();
  @Mixin private final AuditFilterOptions filter = new AuditFilterOptions();
  @Mixin private final AuditLogsParameter logs = new AuditLogsParameter();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--allow",
      paramLabel = "KIND[:ACTOR]",
      description =
          "Do not report this kind; with ACTOR, only where it is the first actor; * for any"
              + " characters. Repeatable.")
  private List<Races.Allowance> allowed = List.of();

  @Option(
      names = "--system",
      description =
          "Report lost updates and no-op writes of Kubernetes' own components, too, which try"
              + " again by themselves.")
  private boolean system;

  @Override
  public Integer call() {
    return run.run(
        () -> {
          var result = Races.find(run.logs(logs.value()), filter.filter(), allowed, system);
          output.print(
              result::races,
              () ->
                  result.races().stream()
                      .map(AuditRacesCommand::text)
                      .collect(Collectors.joining("\n")));
          filter.warnOfUnmatched(run);
          if (result.withoutBody() > 0) {
            run.warn(
                ("%d writes have no response body or code in the log (level Metadata, truncated,"
                        + " or only received), so that races among them would not show: audit them"
                        + " at level RequestResponse, or leave them out by --object, --from or"
                        + " --to")
                    .formatted(result.withoutBody()));
          }
          if (result.unknown() > 0) {
            run.warn(
                ("%d objects were created again that are older than the logs, so that not all is"
                        + " known that they owned: add earlier logs")
                    .formatted(result.unknown()));
          }
          if (result.dropped() > 0) {
            run.warn(
                ("%d objects or fields were too many to be remembered, so that races with them"
                        + " would not show: narrow the log by --from and --to")
                    .formatted(result.dropped()));
          }
          if (result.asked() == 0) {
            run.warn("no write matches, so there is no result");
            return new AuditRun.Ending(ExitCode.BAD_INPUT, List.of(result.report()));
          }
          // A write that cannot be judged may be part of a race.
          return AuditRun.Ending.of(
              !result.races().isEmpty() || result.withoutBody() > 0, result.report());
        });
  }

  static String text(Race race) {
    var text = new StringBuilder();
    text.append(
        "%s  %s%n  %s%n".formatted(written(race.kind()), race.object().path(), race.summary()));
    race.evidence().forEach(event -> text.append("    ").append(line(event)).append('\n'));
    return text.toString();
  }

  /** Formats one request as a line. */
  static String line(AuditEvent event) {
    var subresource = event.object().subresource();
    return "%s  %s  %s %s%s  %d  (auditID %s, %s)"
        .formatted(
            Times.format(event.received()),
            event.actor(),
            event.verb(),
            event.object().path(),
            subresource.isEmpty() ? "" : "/" + subresource,
            event.code(),
            event.auditId(),
            event.source());
  }

  static Races.Allowance allowance(String text) {
    var parts = text.split(":", 2);
    return new Races.Allowance(
        Section.constant(Race.Kind.class, parts[0]),
        TextPattern.of(parts.length == 1 ? "*" : parts[1]));
  }
}
