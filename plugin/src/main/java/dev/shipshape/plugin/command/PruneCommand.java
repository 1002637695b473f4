package dev.shipshape.plugin.command;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.janitor.ManualPrune;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.prune.BadPlan;
import dev.shipshape.janitor.prune.PlanFile;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.PruneRun;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "prune",
    description = "Save a plan of which aged sessions would be deleted, or carry out a saved plan.",
    footer = {
      "%nA plan is carried out as it stands: a session goes only if it is exactly as the plan saw"
          + " it,",
      "by uid and resourceVersion, and if the settings' rules still choose it. keepNewest,",
      "maxPercent and clockTolerance hold now as well, maxPerRun only when the plan is made.",
      "prune.armed is the janitor's own; here, --yes arms."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the plan is saved, or carried out to its end",
      "1:a limit forbids it, --yes is missing, or something is left that should have gone",
      "2:the command line is wrong",
      "3:the settings or the plan are wrong",
      "4:could not run, for instance because the API server is not there"
    })
final class PruneCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final JanitorOptions janitor = new JanitorOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @ArgGroup(multiplicity = "1")
  private final Deed deed = new Deed();

  @Option(names = "--yes", description = "With --apply: do it. Without it, only say what would be.")
  private boolean yes;

  @Option(
      names = "--no-wait",
      description = "With --apply: end as soon as all requests to delete are sent.")
  private boolean noWait;

  @Option(
      names = "--archive",
      paramLabel = "FOLDER",
      description =
          "With --apply: keep each session here, with the logs of its pods, before it is deleted."
              + " Needed if the janitor has an archive of its own.")
  private @Nullable Path archive;

  private static final class Deed {
    @Option(
        names = "--plan",
        paramLabel = "FILE",
        description = "Write the plan to this file. Deletes nothing.")
    private @Nullable Path plan;

    @Option(
        names = "--apply",
        paramLabel = "FILE",
        description = "Carry out the plan in this file.")
    private @Nullable Path apply;
  }

  @Override
  public Integer call() throws BadSettings, BadPlan {
    if (yes && deed.apply == null) {
      throw new ParameterException(spec.commandLine(), "--yes belongs to --apply");
    }
    var plan = deed.apply == null ? null : read(deed.apply);
    var cancellation = new CancellationToken(() -> true);
    try (var _ = ShutdownSignal.begin(cancellation::cancel);
        var client = cluster.connect()) {
      return call(client, cancellation, plan);
    }
  }

  private int call(KubernetesClient client, CancellationToken cancellation, @Nullable PlanFile plan)
      throws BadSettings {
    var checked = archived(janitor.settings(client));
    var clock = Clock.systemUTC();
    Consumer<String> records = line -> System.err.println(line);
    try (var pruning = new ManualPrune(checked, client, clock, records, cancellation)) {
      if (plan == null) {
        return save(pruning, Objects.requireNonNull(deed.plan));
      }
      return yes ? apply(pruning, plan, checked) : review(pruning, plan);
    }
  }

  /** Where the janitor loses nothing, nobody does by hand without saying where it is kept. */
  private JanitorSettings archived(JanitorSettings settings) {
    var folder = settings.archiveFolder();
    if (archive != null) {
      return settings.withArchive(archive);
    }
    if (yes && folder != null && !Files.isDirectory(folder)) {
      throw new ParameterException(
          spec.commandLine(),
          "the janitor archives what it deletes in %s, which is not here: name a folder by --archive"
              .formatted(folder));
    }
    return settings;
  }

  private int save(ManualPrune pruning, Path file) {
    var plan = pruning.plan();
    if (plan.stop().isPresent()) {
      print(view().stopped(plan, plan.stop().get()));
      return ExitCode.FOUND;
    }
    try {
      pruning.file(plan).write(file);
    } catch (IOException e) {
      throw new StartFailure("could not write the plan to %s: %s".formatted(file, e), e);
    }
    print(view().saved(plan, file));
    return ExitCode.OK;
  }

  private int review(ManualPrune pruning, PlanFile plan) {
    print(view().review(pruning.review(plan)));
    return ExitCode.FOUND;
  }

  private int apply(ManualPrune pruning, PlanFile plan, JanitorSettings settings) {
    var run = pruning.apply(plan);
    var report = noWait ? run.report() : awaitGone(run, settings.prune().deadline());
    print(view().report(report));
    return isCarriedOut(report) ? ExitCode.OK : ExitCode.FOUND;
  }

  private static PruneReport awaitGone(PruneRun run, Duration deadline) {
    if (!run.report().deletions().isEmpty()) {
      System.err.printf(
          "waiting up to %d min until the sessions, their Jobs and pods are gone; --no-wait leaves"
              + " that out%n",
          deadline.toMinutes());
    }
    return run.awaitAll(deadline);
  }

  private static boolean isCarriedOut(PruneReport report) {
    return report.ending() == PruneReport.Ending.DONE && report.isGood();
  }

  private static PlanFile read(Path file) throws BadPlan {
    try {
      return PlanFile.read(file);
    } catch (IOException e) {
      throw new StartFailure(
          Files.exists(file)
              ? "could not read the plan %s: %s".formatted(file, e)
              : "could not read the plan %s: there is no such file".formatted(file),
          e);
    }
  }

  private PruneView view() {
    return output.isData() ? new PruneJson(output) : new PruneTables(this::applying);
  }

  /** The command that carries out a plan, with the options of this one. */
  private String applying(Path file) {
    var arguments = new ArrayList<>(List.of("prune", "--apply", file.toString()));
    arguments.addAll(janitor.flags());
    if (archive != null) {
      arguments.addAll(List.of("--archive", archive.toString()));
    }
    arguments.addAll(cluster.flags());
    arguments.add("--yes");
    return ProgramName.command(arguments);
  }

  private void print(String text) {
    var out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
