package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.plugin.release.YamlDocuments;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Durations;
import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "schedule",
    description = "Show the next runs of the pruner; needs no cluster.",
    footer =
        "%nRuns that fall into a blackout window are left out, as the janitor leaves them out.",
    mixinStandardHelpOptions = true)
final class ScheduleCommand implements Callable<Integer> {
  private static final int MOST = 1_000;
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      defaultValue = "janitor.yaml",
      description = "The janitor's settings file. Default: ${DEFAULT-VALUE}")
  private Path settings = Path.of("janitor.yaml");

  @Option(
      names = {"-f", "--values"},
      paramLabel = "FILE",
      description = "Values of the chart, instead of the janitor's settings.")
  private @Nullable Path values;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Show the runs after this time, such as 2026-12-24T00:00:00Z. Default: now")
  private @Nullable Instant from;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many runs to show, 1000 at most. Default: ${DEFAULT-VALUE}")
  private int count = 5;

  @Override
  public Integer call() throws BadSettings {
    if (count < 1 || count > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--count must be from 1 to %d, not %d".formatted(MOST, count));
    }
    var prune = settings().prune();
    var schedule = prune.schedule();
    var now = from == null ? Instant.now() : from;
    var answer =
        new Answer(
            schedule.cron(),
            schedule.zone(),
            prune.armed(),
            schedule.blackouts().stream().map(Object::toString).toList(),
            schedule.next(count, now).stream()
                .map(run -> run.atZone(schedule.zone()).toOffsetDateTime())
                .toList());
    output.print(() -> answer, () -> table(answer, now));
    return ExitCode.OK;
  }

  private record Answer(
      String schedule,
      ZoneId zone,
      boolean armed,
      List<String> blackout,
      List<OffsetDateTime> next) {}

  private JanitorSettings settings() throws BadSettings {
    return values == null ? JanitorSettings.read(settings) : ofChart(values);
  }

  /** The chart's section {@code pruning} is the settings' {@code prune}, as the chart writes it. */
  private static JanitorSettings ofChart(Path file) throws BadSettings {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new StartFailure("could not read the values %s: %s".formatted(file, e), e);
    }
    var prune = JsonNodeFactory.instance.objectNode();
    for (var document : YamlDocuments.read(text)) {
      if (document.path("pruning") instanceof ObjectNode pruning) {
        prune.setAll(pruning);
        prune.remove(List.of("archive", "olderThanFailed"));
        if (prune.remove("settings") instanceof ObjectNode further) {
          prune.setAll(further);
        }
      }
    }
    var top = JsonNodeFactory.instance.objectNode().put("apiVersion", "shipshape.dev/v1");
    top.set("prune", prune);
    return JanitorSettings.parse(file + " (pruning)", top.toString());
  }

  private static String table(Answer answer, Instant now) {
    var text = new StringBuilder();
    text.append("schedule   %s   %s%n".formatted(answer.schedule(), answer.zone()));
    answer.blackout().forEach(blackout -> text.append("blackout   %s%n".formatted(blackout)));
    text.append(answer.armed() ? "armed      yes\n" : "armed      no: these runs only report\n");
    return text
        + "\n"
        + Table.of(
            answer.next(),
            column("RUN", LOCAL::format),
            column("UTC", run -> run.toInstant().toString()),
            column("IN", run -> Durations.words(Duration.between(now, run))));
  }
}
