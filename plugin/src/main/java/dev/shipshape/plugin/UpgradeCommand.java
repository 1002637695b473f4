package dev.shipshape.plugin;

import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.release.Deploying;
import dev.shipshape.plugin.release.Preflight;
import dev.shipshape.plugin.release.Values;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "upgrade",
    description = {
      "Upgrades the release to this chart, keeps the values that were said before, arms or disarms"
          + " what is named, waits until it is ready, and tries the guard through the API server."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:upgraded and seen to work, or shown (--dry-run)",
      "1:the cluster is not fit for it, or it did not become ready",
      "2:the command line is wrong",
      "3:the webhook or the janitor would refuse the settings that the values make",
      "4:could not run"
    })
final class UpgradeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final DeployOptions deploy = new DeployOptions();

  @Option(
      names = "--arm",
      split = ",",
      paramLabel = "DUTY",
      converter = Duty.Words.class,
      completionCandidates = Duty.Words.class,
      description = {
        "Arm ${COMPLETION-CANDIDATES}; may be said again.",
        "guard=NAME: one guard of your own, or the presets."
      })
  private Set<Duty> armed = Set.of();

  @Option(
      names = "--disarm",
      split = ",",
      paramLabel = "DUTY",
      converter = Duty.Words.class,
      completionCandidates = Duty.Words.class,
      description = "Disarm ${COMPLETION-CANDIDATES}, or guard=NAME; may be said again.")
  private Set<Duty> disarmed = Set.of();

  @Option(
      names = "--untried",
      description =
          "Arm the guard although it cannot be tried: guard.exempt, guard.recovery or"
              + " guard.matchConditions leave out what it would be tried by.")
  private boolean untried;

  @Override
  public Integer call() throws InterruptedException, IOException, BadSettings {
    refuseContradiction();
    var release = options.release();
    var console = Console.ofProcess();
    try (var client = options.connect();
        var folder = WorkFolder.create()) {
      var api = new KubernetesApi(client);
      var deploying = new Deploying(api, release, console);
      if (!release.exists()) {
        throw new StartFailure(
            "there is no release %s; this makes it: %s"
                .formatted(release, options.command("install")));
      }
      if (!deploying.preflight(new Preflight(api).look())) {
        return ExitCode.FOUND;
      }
      var said = release.said(folder.path()).and(deploy.values());
      if (Stream.concat(armed.stream(), disarmed.stream()).anyMatch(Duty::isNamed)) {
        var guards = deploying.armingValues(options.chart(), said);
        armed = found(armed, guards);
        disarmed = found(disarmed, guards);
        refuseContradiction();
      }
      var values = said.and(new Values(List.of(), Duty.sets(armed, disarmed)));
      var plan = deploying.plan(options.chart(), values);
      if (!plan.hasJanitor() && armed.stream().anyMatch(Duty::isJanitors)) {
        console.verdict(
            false,
            "pruning and restarts are the janitor's, and there is none: janitor.enabled=false");
        return ExitCode.FOUND;
      }
      if (!plan.isPermitted() || (plan.armsGuard() && !deploying.mayBeArmed(untried))) {
        return ExitCode.FOUND;
      }
      if (deploy.isDryRun()) {
        return ExitCode.OK;
      }
      if (armed.stream().anyMatch(duty -> !duty.isJanitors())) {
        deploying.endDisarming();
      }
      var described = plan.describedAs(description());
      var works = deploying.deploy(options.chart(), values, described, deploy.timeout());
      return works ? ExitCode.OK : ExitCode.FOUND;
    }
  }

  /** What Helm's history says of it. */
  private String description() {
    var said =
        Stream.concat(
                armed.stream().map(duty -> "arm " + duty),
                disarmed.stream().map(duty -> "disarm " + duty))
            .sorted()
            .collect(Collectors.joining(", "));
    return said.isEmpty() ? "upgrade by shipshape" : said;
  }

  private void refuseContradiction() {
    var contradiction = Duty.contradiction(armed, disarmed, deploy.values().sets());
    if (contradiction.isPresent()) {
      throw new ParameterException(spec.commandLine(), contradiction.get());
    }
  }

  /** With their values, which depend on what is guarded. */
  private Set<Duty> found(Set<Duty> duties, Map<String, String> guards) {
    return duties.stream()
        .map(
            duty ->
                duty.with(guards)
                    .orElseThrow(
                        () ->
                            new ParameterException(
                                spec.commandLine(),
                                "there is no %s; the guards are: %s"
                                    .formatted(duty, String.join(", ", guards.keySet())))))
        .collect(Collectors.toSet());
  }
}
