package dev.shipshape.plugin.command;

import static dev.shipshape.plugin.command.Table.column;
import static dev.shipshape.plugin.command.Table.wide;
import static dev.shipshape.service.Section.written;

import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "sessions",
    description = "List the CFS sessions, and what the pruner would do with each and why.",
    footer =
        "%nThe verdict is the policy's alone: keepNewest, maxPerRun and maxPercent are limits of a"
            + " whole run, which prune applies.")
final class SessionsCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final JanitorOptions janitor = new JanitorOptions();
  @Mixin private final OutputOption output = new OutputOption();

  private record Row(
      String namespace,
      String name,
      @Nullable String uid,
      String state,
      @Nullable String job,
      @Nullable Long ageSeconds,
      String verdict,
      String reason) {
    private static Row of(Session session, Verdict verdict, Instant now) {
      var age = session.times().since().map(since -> Duration.between(since, now).toSeconds());
      return new Row(
          session.namespace(),
          session.name(),
          session.uid(),
          session.state(),
          session.job(),
          age.orElse(null),
          verdict instanceof Verdict.Prune ? "prune" : "keep",
          verdict instanceof Verdict.Keep keep ? written(keep.reason()) : "aged");
    }
  }

  @Override
  public Integer call() throws BadSettings {
    try (var client = cluster.connect()) {
      var settings = janitor.settings(client);
      var list = settings.sessions(client).get();
      var now = list.serverTime();
      var rows =
          list.sessions()
              .map(session -> Row.of(session, settings.prune().policy().judge(session, now), now))
              .toList();
      if (rows.isEmpty()) {
        JanitorOptions.requireNamespace(client, settings.sessionsNamespace());
      }
      output.print(
          rows,
          "There is no session.",
          column("SESSION", row -> row.namespace() + "/" + row.name()),
          column("STATE", Row::state),
          column("AGE", row -> age(row.ageSeconds())),
          column("VERDICT", Row::verdict),
          column("REASON", Row::reason),
          wide("JOB", row -> Objects.requireNonNullElse(row.job(), "")),
          wide("UID", row -> Objects.requireNonNullElse(row.uid(), "")));
      return ExitCode.OK;
    }
  }

  private static String age(@Nullable Long seconds) {
    return seconds == null ? "?" : Durations.format(Duration.ofSeconds(seconds));
  }
}
