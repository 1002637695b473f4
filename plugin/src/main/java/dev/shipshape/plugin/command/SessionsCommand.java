package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.ManualPrune;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.Verdict;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.service.BadSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "sessions",
    description = "List the CFS sessions, and what the pruner would do with each and why.",
    footer =
        "%nThe verdict is the policy's alone: keepNewest, maxPerRun and maxPercent are limits of a"
            + " whole run, which prune applies.",
    mixinStandardHelpOptions = true)
final class SessionsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final JanitorOptions janitor = new JanitorOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public Integer call() throws BadSettings {
    var cancellation = new CancellationToken(() -> true);
    var clock = Clock.systemUTC();
    try (var client = cluster.connect()) {
      var pruning = new ManualPrune(janitor.settings(client), client, clock, _ -> {}, cancellation);
      var out = spec.commandLine().getOut();
      var now = clock.instant();
      out.println(output.text(() -> table(pruning, now), () -> objects(pruning, now)));
      out.flush();
      return ExitCode.OK;
    }
  }

  private String table(ManualPrune pruning, Instant now) {
    var table =
        output.isWide()
            ? new Table("SESSION", "STATE", "AGE", "VERDICT", "REASON", "JOB", "UID")
            : new Table("SESSION", "STATE", "AGE", "VERDICT", "REASON");
    pruning.judge(
        (session, verdict) -> {
          var age = age(session, now);
          if (output.isWide()) {
            table.row(
                session.reference(),
                session.state(),
                age,
                word(verdict),
                reason(verdict),
                Objects.requireNonNullElse(session.job(), ""),
                Objects.requireNonNullElse(session.uid(), ""));
          } else {
            table.row(session.reference(), session.state(), age, word(verdict), reason(verdict));
          }
        });
    return table.isEmpty() ? "There is no session." : table.toString();
  }

  private static ArrayNode objects(ManualPrune pruning, Instant now) {
    var list = JsonNodeFactory.instance.arrayNode();
    pruning.judge(
        (session, verdict) -> {
          var node = list.addObject();
          node.put("namespace", session.namespace()).put("name", session.name());
          node.put("uid", session.uid()).put("state", session.state()).put("job", session.job());
          session
              .times()
              .since()
              .ifPresent(since -> node.put("ageSeconds", Duration.between(since, now).toSeconds()));
          node.put("verdict", word(verdict)).put("reason", reason(verdict));
        });
    return list;
  }

  private static String age(Session session, Instant now) {
    return session.times().since().map(since -> Age.of(Duration.between(since, now))).orElse("?");
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Prune _ -> "prune";
      case Verdict.Keep _ -> "keep";
    };
  }

  private static String reason(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Prune _ -> "aged";
      case Verdict.Keep keep -> keep.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }
}
