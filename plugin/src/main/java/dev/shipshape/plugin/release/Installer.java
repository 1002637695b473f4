package dev.shipshape.plugin.release;

import dev.shipshape.plugin.release.CheckResult.Level;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Installs or upgrades a release, and tests that it works. */
public final class Installer {
  private final KubernetesClient client;
  private final HelmRelease release;
  private final Console console;

  public Installer(KubernetesClient client, HelmRelease release, Console console) {
    this.client = client;
    this.release = release;
    this.console = console;
  }

  /** Says what was found about Helm and the cluster; true where an installation would work. */
  public boolean preflight(Preflight.Report cluster) throws InterruptedException {
    console.heading("The cluster");
    var results = new ArrayList<>(List.of(Preflight.helm(release.helmVersion())));
    results.addAll(cluster.results());
    results.forEach(this::print);
    return results.stream().noneMatch(result -> result.level() == Level.WRONG);
  }

  /**
   * Refuses a second release in one namespace.
   *
   * @throws StartFailure where another one is there
   */
  public void requireAlone() {
    var others = new ReleaseObjects(client, release).others();
    if (!others.isEmpty()) {
      throw new StartFailure(
          "the release %s is in namespace %s already, and two there would take each other's Leases"
                  .formatted(String.join(", ", others), release.namespace())
              + ": upgrade or uninstall it, or choose another namespace");
    }
  }

  /**
   * What a deployment would come to.
   *
   * @param armsGuard whether a guard would be armed by it that was not to be, by whichever value
   * @param hasJanitor whether there would be a janitor
   * @param endsDisarming whether {@code disarm --now} ends with it, as no guard is armed by then
   * @param flags that Helm needs for it
   */
  public record Plan(
      boolean armsGuard, boolean hasJanitor, boolean endsDisarming, List<String> flags) {

    /** The same with what Helm's history is to say of it. */
    public Plan describedAs(String description) {
      var more = new ArrayList<>(flags);
      more.addAll(List.of("--description", description));
      return new Plan(armsGuard, hasJanitor, endsDisarming, more);
    }

    /** The same, which ends {@code disarm --now} only if that is wanted. */
    public Plan endingDisarming(boolean isWanted) {
      return new Plan(armsGuard, hasJanitor, endsDisarming && isWanted, flags);
    }

    public Plan {
      flags = List.copyOf(flags);
    }
  }

  /**
   * Says which objects would be made, changed and removed. Changes nothing.
   *
   * @throws BadSettings where a server would refuse the settings that are rendered for it
   */
  public Plan plan(String chart, Values values) throws InterruptedException, BadSettings {
    console.heading("What changes");
    var now = release.installed();
    var next = release.rendered(chart, values, Capabilities.of(client));
    new RenderedSettings(release, chart).check(next);
    var changes = now.changesTo(next);
    if (changes.isEmpty()) {
      console.result("nothing");
    }
    changes.forEach(change -> console.result(change.toString()));
    return new Plan(
        !now.armed().containsAll(next.armed()),
        next.hasJanitor(),
        next.armed().isEmpty(),
        flags(next));
  }

  private boolean isNamespaceAbsent() {
    try {
      return client.namespaces().withName(release.namespace()).get() == null;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return false; // Who may not read it has no permission to create it either.
      }
      throw e;
    }
  }

  private List<String> flags(Manifest next) throws InterruptedException {
    var flags = new ArrayList<String>();
    if (isNamespaceAbsent()) {
      flags.add("--create-namespace");
    }
    if (release.isAppliedByServer() && replacesAuthority(next)) {
      console.result(
          "--force-conflicts: caBundle is the webhook's or cert-manager's own until now, and"
              + " becomes the release's (certificates.source)");
      flags.add("--force-conflicts");
    }
    return flags;
  }

  /**
   * Who put an authority into a webhook configuration owns that field. Without force Helm would
   * stop there, after all else: with pods that serve what the API server does not trust.
   */
  private boolean replacesAuthority(Manifest next) {
    var trusted = authorities(new ReleaseObjects(client, release).mutating());
    var rendered =
        authorities(
            next.ofKind("MutatingWebhookConfiguration").stream()
                .map(WebhookConfiguration::of)
                .toList());
    rendered.remove("");
    return !rendered.isEmpty() && !rendered.containsAll(trusted);
  }

  private static Set<String> authorities(List<WebhookConfiguration> configurations) {
    return configurations.stream()
        .flatMap(WebhookConfiguration::authorities)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** The value that arms each guard, by the guard's name. */
  public Map<String, String> armingValues(String chart, Values values) throws InterruptedException {
    return release.rendered(chart, values, Capabilities.of(client)).armingValues();
  }

  /** Whether {@code disarm --now} holds: then no guard is registered that could be tried. */
  public boolean isDisarmed() {
    return new ReleaseObjects(client, release).disarmed().isPresent();
  }

  /** Deletes the ConfigMap that keeps all guards disarmed. */
  private void endDisarming() {
    if (new ReleaseObjects(client, release).disarmed().isPresent()) {
      console.heading("The guard, so far disarmed");
      console.result(new Remover(client).disarmed(release.namespace()));
    }
  }

  /**
   * Installs or upgrades, waits until all is ready, and tries the guard.
   *
   * @return whether it works
   */
  public boolean deploy(String chart, Values values, Plan plan, Duration limit)
      throws InterruptedException {
    console.heading("Helm");
    console.action(
        "helm upgrade --install %s %s %s"
            .formatted(release.name(), chart, String.join(" ", plan.flags()))
            .strip());
    var before = release.revision();
    release.apply(chart, values, plan.flags());
    if (plan.endsDisarming()) {
      endDisarming();
    }
    var wrong = new RolloutWaiter(client, release, console).await(limit);
    if (!wrong.isEmpty()) {
      console.verdict(false, "not ready after %ds".formatted(limit.toSeconds()));
      wrong.forEach(console::result);
      new CrashLogs(client).of(new ReleaseObjects(client, release).pods()).forEach(console::result);
      before.ifPresent(
          revision -> console.result("to go back: " + release.rollbackCommand(revision)));
      return false;
    }
    console.verdict(true, "every replica is ready");
    var disarmed = new ReleaseObjects(client, release).disarmed();
    if (disarmed.isPresent()) {
      console.verdict(false, disarmed.get());
      return false;
    }
    return test(SelfTest::await) != Level.WRONG;
  }

  /**
   * Whether the guard is seen to work, before it is armed: then writes fail while it does not.
   *
   * @param untried whether to take it for working where it cannot be tried
   */
  public boolean mayBeArmed(boolean untried) {
    var tested = test(SelfTest::run);
    if (tested == Level.NOTE) {
      console.verdict(
          untried,
          untried
              ? "it is armed without a test (--untried)"
              : "it could not be tested: arm it as another user, or without a test (--untried)");
    }
    return tested == Level.GOOD || (tested == Level.NOTE && untried);
  }

  /** Tests the guard through the API server; returns the worst result. */
  private Level test(Function<SelfTest, List<CheckResult>> run) {
    console.heading("The guard, tried through the API server");
    var objects = new ReleaseObjects(client, release);
    var registered = objects.validating();
    if (registered.isEmpty()) {
      var none = "the release has no ValidatingWebhookConfiguration";
      console.verdict(false, objects.disarmed().orElse(none));
      return Level.WRONG;
    }
    var results =
        registered.stream()
            .flatMap(each -> run.apply(new SelfTest(client, each.name(), this::exemption)).stream())
            .toList();
    results.forEach(this::print);
    return results.stream().map(CheckResult::level).reduce(Level.GOOD, Installer::worse);
  }

  private Optional<String> exemption() {
    try {
      return ProbeExemptions.reason(release.values(), user());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Level worse(Level one, Level other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** As whom the API server knows us. */
  private UserInfo user() {
    return client
        .authentication()
        .v1()
        .selfSubjectReviews()
        .create(new SelfSubjectReview())
        .getStatus()
        .getUserInfo();
  }

  private void print(CheckResult result) {
    switch (result.level()) {
      case GOOD -> console.verdict(true, result.text());
      case NOTE -> console.result(result.text());
      case WRONG -> console.verdict(false, result.text());
    }
  }
}
