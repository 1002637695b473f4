package dev.shipshape.plugin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.PruneSettings;
import dev.shipshape.service.BadSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "schedule",
    description = "Shows the next five runs of the pruner; needs no cluster.",
    footer =
        "%nRuns that fall into a blackout window are left out, as the janitor leaves them out.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:the command line is wrong", "3:the settings are wrong"})
final class ScheduleCommand implements Callable<Integer> {
  private static final int RUNS = 5;
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final JanitorOptions janitor = new JanitorOptions();
  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() throws BadSettings {
    var prune = janitor.settings().prune();
    var now = clock.instant();
    var runs = prune.schedule().next(RUNS, now);
    var text =
        switch (janitor.output()) {
          case TABLE -> table(prune, runs, now);
          case JSON -> json(prune, runs);
        };
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private static String table(PruneSettings prune, List<Instant> runs, Instant now) {
    var schedule = prune.schedule();
    var text = new StringBuilder();
    text.append("schedule   %s   %s%n".formatted(schedule.cron(), schedule.zone()));
    schedule.blackouts().forEach(blackout -> text.append("blackout   %s%n".formatted(blackout)));
    text.append(prune.armed() ? "armed      yes\n" : "armed      no: these runs only report\n");
    var table = new Table("RUN", "UTC", "IN");
    for (var run : runs) {
      table.row(
          LOCAL.format(run.atZone(schedule.zone())),
          run.toString(),
          Age.of(Duration.between(now, run)));
    }
    return text + "\n" + table + "\n";
  }

  private static String json(PruneSettings prune, List<Instant> runs) {
    var schedule = prune.schedule();
    var answer = JsonNodeFactory.instance.objectNode().put("schedule", schedule.cron());
    answer.put("zone", schedule.zone().getId()).put("armed", prune.armed());
    var blackouts = answer.putArray("blackout");
    schedule.blackouts().forEach(blackout -> blackouts.add(blackout.toString()));
    var next = answer.putArray("next");
    runs.forEach(run -> next.add(run.atZone(schedule.zone()).toOffsetDateTime().toString()));
    return answer.toPrettyString() + "\n";
  }
}
