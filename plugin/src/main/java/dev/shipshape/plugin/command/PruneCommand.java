package dev.shipshape.plugin.command;

import dev.shipshape.janitor.PruneSettings;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.AuditLog;
import dev.shipshape.janitor.prune.Pruner;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.Durations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "prune",
    description = "Show which aged sessions would be deleted, or delete them.",
    footer = {
      "%nOne run by the settings, whatever prune.armed says: --confirm arms it. The",
      "sessions are listed and judged again at that moment, and each is deleted by the",
      "uid and resourceVersion that were judged."
    })
final class PruneCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final JanitorOptions janitor = new JanitorOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--confirm",
      description = "Delete the sessions. Without it, only show which would be deleted.")
  private boolean confirm;

  @Option(
      names = "--archive",
      paramLabel = "FOLDER",
      description =
          "With --confirm: keep each session here, with the logs of its pods, before it is deleted."
              + " Needed if the janitor has an archive of its own.")
  private @Nullable Path archive;

  @Override
  public Integer call() throws BadSettings {
    var cancellation = new CancellationToken(() -> true);
    try (var _ = new ShutdownSignal(cancellation::cancel, Duration.ZERO);
        var client = cluster.connect()) {
      var settings = janitor.settings(client);
      Consumer<String> records = line -> JanitorServer.writeAuditLine(System.err, line);
      var clock = Clock.systemUTC();
      var audit = new AuditLog(records, clock);
      var sessions = settings.sessions(client);
      var to = archive(settings.prune());
      var pruner = settings.pruner(client, sessions, to, clock, audit, cancellation);
      var report = run(pruner, settings.prune().deadline());
      if (report.stats().total() == 0) {
        JanitorOptions.requireNamespace(client, settings.sessionsNamespace());
      }
      return show(report);
    }
  }

  /** If the janitor archives sessions, a prune by hand must archive them, too. */
  private PruneSettings.@Nullable Archive archive(PruneSettings prune) {
    if (archive != null) {
      return prune.archiveIn(archive);
    }
    var configured = prune.archive();
    if (confirm && configured != null && !Files.isDirectory(configured.folder())) {
      throw new ParameterException(
          spec.commandLine(),
          "the janitor archives what it deletes in %s, which is not here: name a folder by --archive"
              .formatted(configured.folder()));
    }
    return configured;
  }

  private RunReport run(Pruner pruner, Duration deadline) {
    var sent = pruner.run(confirm);
    if (!confirm) {
      return sent;
    }
    if (!sent.deletions().isEmpty()) {
      spec.commandLine()
          .getErr()
          .printf(
              "waiting up to %s until the sessions, their Jobs and pods are gone%n",
              Durations.format(deadline));
    }
    return pruner.verify(sent, deadline);
  }

  private int show(RunReport report) {
    output.print(() -> report, () -> confirm ? RunTable.of(report) : RunTable.ofPlan(report));
    return report.isGood() ? ExitCode.OK : ExitCode.FOUND;
  }
}
