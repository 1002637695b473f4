package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Console;
import dev.shipshape.plugin.release.Installer;
import dev.shipshape.plugin.release.Values;
import dev.shipshape.service.BadSettings;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "upgrade",
    description = {
      "Upgrade the release to this chart with its values, arm or disarm features, wait for"
          + " readiness and test the guard through the API server."
    })
final class UpgradeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ReleaseOptions options = new ReleaseOptions();
  @Mixin private final DeployOptions deploy = new DeployOptions();

  @Option(
      names = "--arm",
      split = ",",
      paramLabel = "FEATURE",
      description = "Arm guard, guard=NAME (one of your own), pruning or restarts; repeatable.")
  private Set<Feature> armed = Set.of();

  @Option(
      names = "--disarm",
      split = ",",
      paramLabel = "FEATURE",
      description = "Disarm guard, guard=NAME, pruning or restarts; repeatable.")
  private Set<Feature> disarmed = Set.of();

  @Option(
      names = "--untried",
      description =
          "Arm the guard without a test where none is possible: guard.recovery or"
              + " guard.matchConditions leave you out, or the API server does not"
              + " serve the resource, or in other versions only, or it is of a preset that is not"
              + " registered yet.")
  private boolean untried;

  @Override
  public Integer call() throws InterruptedException, BadSettings {
    var release = options.release();
    var console = new Console(spec.commandLine().getOut());
    try (var client = options.connect()) {
      var installer = new Installer(client, release, console);
      if (!release.exists()) {
        throw installer.noRelease(options.command("install"));
      }
      var flags = new ArrayList<>(deploy.values());
      flags.addAll(Feature.sets(armed, disarmed));
      flags.add("--description=" + description());
      var values = new Values("", flags);
      var plan = installer.plan(deploy.chart(), values);
      var nothing =
          armed.stream()
              .filter(feature -> !disarmed.contains(feature) && !feature.armsAnything(plan))
              .map(
                  feature ->
                      feature.name() + ": there is nothing here that it arms: docs/how-to/arm.md")
              .toList();
      if (!nothing.isEmpty()) {
        nothing.forEach(why -> console.verdict(false, why));
        return ExitCode.FOUND;
      }
      if (isGuard(disarmed) && !plan.armedGuards().isEmpty()) {
        console.result("stays armed: " + String.join(", ", plan.armedGuards()));
      }
      if ((isGuard(armed) || plan.armsGuard())
          && !installer.mayBeArmed(plan.armedGuards(), untried)) {
        return ExitCode.FOUND;
      }
      if (deploy.isDryRun()) {
        return ExitCode.OK;
      }
      var endDisarming = plan.armedGuards().isEmpty() && isGuard(disarmed);
      var works = installer.deploy(deploy.chart(), values, endDisarming, deploy.timeout());
      return works ? ExitCode.OK : ExitCode.FOUND;
    }
  }

  private static boolean isGuard(Set<Feature> features) {
    return features.stream().anyMatch(Feature::isGuard);
  }

  /** Returns the text for Helm's history. */
  private String description() {
    var changes =
        Stream.concat(
                armed.stream().map(feature -> "arm " + feature.name()),
                disarmed.stream().map(feature -> "disarm " + feature.name()))
            .sorted()
            .collect(Collectors.joining(", "));
    return changes.isEmpty() ? "upgrade by shipshape" : changes;
  }
}
