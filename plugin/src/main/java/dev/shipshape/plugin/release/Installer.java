package dev.shipshape.plugin.release;

import static java.util.Comparator.naturalOrder;

import dev.shipshape.janitor.JanitorSettings;
import dev.shipshape.plugin.release.CheckResult.Level;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/** Installs or upgrades a release, and tests that it works. */
public record Installer(KubernetesClient client, HelmRelease release, Console console) {
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final String INTENTS = "network-connector.sylvaproject.org";

  private ReleaseObjects objects() {
    return new ReleaseObjects(client, release);
  }

  /** Returns the presets whose resources the cluster serves, and shows them. */
  public List<String> presets() {
    var presets = GuardReader.DEFAULT_PRESETS.stream().filter(this::isServed).toList();
    console.heading("The presets whose resources the cluster has");
    console.result(
        presets.isEmpty()
            ? "none: the chart's default stays; set guard.presets once the operator is there"
            : String.join(", ", presets));
    if (presets.contains("t-caas") && client.getApiGroup(INTENTS) != null) {
      console.result(
          "if the operator runs with --enable-intent-reconciler, it makes no revisions, and t-caas"
              + " refuses nothing: add --set 'guard.presets={t-caas-intent}'");
    }
    return presets;
  }

  private boolean isServed(String preset) {
    return GuardReader.preset(preset).stream()
        .filter(guard -> !guard.stampOnly())
        .map(Guard::resource)
        .anyMatch(each -> ReleaseObjects.serves(client, each));
  }

  /** Refuses a release that another tool has made. */
  public void requireNotForeign() {
    if (objects().isRunning()) {
      throw new StartFailure(
          "%s runs, but Helm does not know it: change it with the tool that installed it, or by its HELM_DRIVER (docs/how-to/gitops.md)"
              .formatted(release));
    }
  }

  /**
   * Says why there is nothing to upgrade.
   *
   * @param install the command that makes the release
   */
  public StartFailure noRelease(String install) {
    requireNotForeign();
    var others = objects().alternatives();
    return new StartFailure(
        "there is no release %s; %s"
            .formatted(
                release,
                others.isEmpty() ? "this makes it: " + install : String.join("; ", others)));
  }

  /**
   * What a deployment would do.
   *
   * @param armsGuard whether any value arms a guard that was not armed before
   * @param hasRestarts whether any operator is to be restarted
   * @param armedGuards those that are to be armed, sorted
   */
  public record Plan(
      boolean armsGuard, boolean hasJanitor, boolean hasRestarts, List<String> armedGuards) {}

  /**
   * Shows which objects would be created, changed and removed. Changes nothing.
   *
   * @throws BadSettings if a server would refuse its rendered settings
   */
  public Plan plan(String chart, Values values) throws InterruptedException, BadSettings {
    console.heading("What changes");
    var now = release.installed();
    var next = release.dryRun(chart, values);
    var problems = next.settings().problems(" as rendered");
    if (!problems.isEmpty()) {
      throw new BadSettings(problems);
    }
    var changes = now.changesTo(next);
    if (changes.isEmpty()) {
      console.result("nothing");
    }
    release.failedRevision().ifPresent(console::result);
    release.versionChange().ifPresent(console::result);
    changes.forEach(console::result);
    return new Plan(
        !now.armed().containsAll(next.armed()),
        next.settings().hasJanitor(),
        next.settings().janitor().filter(JanitorSettings::restartArmed).isPresent(),
        next.armed().stream().sorted().toList());
  }

  /** Installs or upgrades as planned, waits until everything is ready, and tests the guards. */
  public boolean deploy(String chart, Values values, boolean endDisarming, Duration timeout)
      throws InterruptedException {
    console.heading("Helm");
    var flags = new ArrayList<>(List.of("--wait", "--timeout=" + timeout.toSeconds() + "s"));
    if (objects().isNamespaceAbsent(release.namespace())) {
      flags.add("--create-namespace");
    }
    console.action(release.applyCommand(chart, values, flags));
    var end = System.nanoTime() + timeout.toNanos();
    var rollback = release.rollback();
    var applied = release.apply(chart, values, flags, this::showWaiting);
    if (applied.exit() != 0 && System.nanoTime() - end < 0) {
      rollback.ifPresent(console::result);
      applied.require((rollback.isPresent() ? "upgrade " : "install ") + release);
    }
    if (endDisarming && applied.exit() == 0 && objects().disarmed().isPresent()) {
      console.heading("The guard, so far disarmed");
      console.result(new Remover(client).disarmed(release.namespace()));
    }
    var missing = applied.exit() == 0 ? await(end) : List.of(applied.message());
    if (!missing.isEmpty()) {
      console.verdict(false, "not ready after %ds".formatted(timeout.toSeconds()));
      missing.forEach(console::result);
      objects().problems().forEach(console::result);
      rollback.ifPresent(console::result);
      return false;
    }
    console.verdict(true, "every replica is ready");
    var disarmed = objects().disarmed();
    if (disarmed.isPresent()) {
      console.verdict(false, disarmed.get());
      return false;
    }
    var works = !objects().settings().mayHaveWebhook() || test(SelfTest::await) != Level.WRONG;
    if (!works) {
      rollback.ifPresent(console::result);
    }
    var notes = applied.out().split("(?m)^NOTES:\\R", 2);
    if (notes.length == 2) {
      console.heading("The chart's notes");
      console.result(notes[1].replace(" CHART ", " " + ShellWords.quoted(chart) + " "));
    }
    return works;
  }

  private void showWaiting() {
    try {
      var problems = objects().problems();
      console.result(
          "waiting: " + (problems.isEmpty() ? "the pods start" : String.join("; ", problems)));
    } catch (KubernetesClientException e) {
      console.result("waiting: the API server cannot be asked: " + ApiErrors.reason(e));
    }
  }

  /** Waits for what Helm does not wait for; returns what is still missing at the end. */
  private List<String> await(long end) throws InterruptedException {
    var shown = "";
    while (true) {
      var missing = missing();
      if (missing.isEmpty() || System.nanoTime() - end >= 0) {
        return missing;
      }
      var now = String.join("; ", missing);
      if (!now.equals(shown)) {
        console.result("waiting: " + now);
        shown = now;
      }
      pause();
    }
  }

  /** Waits before the cluster is asked again. */
  static void pause() throws InterruptedException {
    LockSupport.parkNanos(INTERVAL.toNanos());
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private List<String> missing() {
    try {
      // Terminating pods still answer calls, by their old settings.
      var ending =
          objects().pods().stream()
              .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
              .count();
      return Stream.of(
              ending == 0
                  ? Stream.<String>empty()
                  : Stream.of(
                      ending
                          + " old pods end (once the API server has closed its idle connections to"
                          + " them, which it does after 90 s)"),
              objects().webhookConfigurations().stream()
                  .flatMap(each -> each.withoutAuthority().stream()),
              objects().disarmed().isPresent()
                  ? Stream.<String>empty()
                  : objects().guardsToChange(objects().settings(), objects().validating()).stream())
          .flatMap(lines -> lines)
          .toList();
    } catch (KubernetesClientException e) {
      // Helm is done by now: a failed request must not end the wait.
      return List.of("the API server cannot be asked: " + ApiErrors.reason(e));
    }
  }

  /**
   * Whether the guard was seen to work. It must be, before it is armed: an armed guard that does
   * not work blocks writes.
   *
   * @param guards those that are to be armed
   * @param untried whether a guard that cannot be tested counts as working
   */
  public boolean mayBeArmed(List<String> guards, boolean untried) {
    var validating = objects().validating();
    objects().wouldHaveRefused(objects().settings(), validating).forEach(console::result);
    var tested = test(SelfTest::run);
    var registered = ReleaseObjects.guards(validating);
    for (var preset : GuardReader.PRESETS) {
      if (tested != Level.WRONG && guards.contains(preset) && !registered.containsKey(preset)) {
        console.result(
            preset
                + " is not registered yet, so it cannot be tested: upgrade with --disarm guard and"
                + " its values (the other presets only warn then), then with --arm guard");
        tested = Level.NOTE;
      }
    }
    if (tested == Level.NOTE) {
      console.verdict(
          untried,
          untried
              ? "it is armed without a test (--untried)"
              : "it could not be tested (see above); to arm it without a test: --untried");
    }
    return tested == Level.GOOD || (tested == Level.NOTE && untried);
  }

  /** Tests the guards through the API server; returns the worst result. */
  private Level test(Function<SelfTest, List<CheckResult>> run) {
    console.heading("The guard, tried through the API server");
    var registered = objects().validating();
    if (registered.isEmpty()) {
      var none =
          "the release has no ValidatingWebhookConfiguration: upgrade without an armed guard first";
      console.verdict(false, objects().disarmed().orElse(none));
      return Level.WRONG;
    }
    var results =
        registered.stream()
            .flatMap(each -> run.apply(new SelfTest(client, each.name())).stream())
            .toList();
    results.forEach(this::print);
    return results.stream().map(CheckResult::level).max(naturalOrder()).orElse(Level.GOOD);
  }

  private void print(CheckResult result) {
    switch (result.level()) {
      case GOOD -> console.verdict(true, result.text());
      case NOTE -> console.result(result.text());
      case WRONG -> console.verdict(false, result.text());
    }
  }
}
