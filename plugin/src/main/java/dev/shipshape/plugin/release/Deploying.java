package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.Console;
import dev.shipshape.plugin.release.Preflight.Weight;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Brings a release into the cluster, and proves that it works there. */
public final class Deploying {
  private final KubernetesApi api;
  private final Release release;
  private final Console console;

  /** Of one release, into the cluster of {@code api}. */
  public Deploying(KubernetesApi api, Release release, Console console) {
    this.api = api;
    this.release = release;
    this.console = console;
  }

  /** Says what was found about Helm and the cluster; true where an installation would work. */
  public boolean preflight(Preflight.Findings cluster) throws InterruptedException {
    console.heading("The cluster");
    var findings = cluster.and(Preflight.helm(release.helmVersion()));
    findings
        .all()
        .forEach(
            finding -> say(finding.weight(), "%s: %s".formatted(finding.about(), finding.found())));
    return findings.good();
  }

  /**
   * Refuses a second release in one namespace.
   *
   * @throws StartFailure where another one is there
   */
  public void requireAlone() {
    var others = new Installed(api, release).others();
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
   * @param isPermitted whether the user has the rights that it takes
   * @param armsGuard whether a guard would be armed by it that was not to be, by whichever value
   * @param hasJanitor whether there would be a janitor
   * @param flags that Helm needs for it
   */
  public record Plan(
      boolean isPermitted, boolean armsGuard, boolean hasJanitor, List<String> flags) {

    /** The same with what Helm's history is to say of it. */
    public Plan describedAs(String description) {
      var more = new ArrayList<>(flags);
      more.addAll(List.of("--description", description));
      return new Plan(isPermitted, armsGuard, hasJanitor, more);
    }

    public Plan {
      flags = List.copyOf(flags);
    }
  }

  /**
   * Says which objects would be made, changed and removed, and who may. Changes nothing.
   *
   * @throws BadSettings where a server would refuse the settings that are rendered for it
   */
  public Plan plan(String chart, Values values) throws InterruptedException, BadSettings {
    console.heading("What changes");
    var now = release.installed();
    var next = release.rendered(chart, values, Capabilities.of(api));
    new RenderedSettings(release.defaults(chart)).check(next);
    var changes = now.changesTo(next);
    if (changes.isEmpty()) {
      console.result("nothing");
    }
    changes.forEach(change -> console.result(change.toString()));
    var manner = manner();
    var missing = new Rights(api, release.namespace()).missingFor(now, next, manner);
    console.verdict(
        missing.isEmpty(),
        missing.isEmpty()
            ? "you have the rights that this takes"
            : "you may not %s; ask a cluster administrator".formatted(String.join(", ", missing)));
    return new Plan(
        missing.isEmpty(),
        !now.armed().containsAll(next.armed()),
        next.hasJanitor(),
        missing.isEmpty() ? flags(next, manner) : List.of());
  }

  private Rights.Manner manner() throws InterruptedException {
    // Who may not read it has not been given the right to make it either.
    var makesNamespace = api.get("/api/v1/namespaces/" + release.namespace()).code() == 404;
    return new Rights.Manner(release.isAppliedByServer(), makesNamespace, release.storage());
  }

  private List<String> flags(Manifest next, Rights.Manner manner) {
    var flags = new ArrayList<String>();
    if (manner.makesNamespace()) {
      flags.add("--create-namespace");
    }
    if (manner.byServer() && replacesAuthority(next)) {
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
    var trusted = authorities(new Installed(api, release).mutating());
    var rendered = authorities(next.ofKind("MutatingWebhookConfiguration"));
    rendered.remove("");
    return !rendered.isEmpty() && !rendered.containsAll(trusted);
  }

  private static Set<String> authorities(List<JsonNode> configurations) {
    return configurations.stream()
        .map(WebhookConfiguration::of)
        .flatMap(configuration -> configuration.authorities())
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** The value that arms each guard, by the guard's name. */
  public Map<String, String> armingValues(String chart, Values values) throws InterruptedException {
    return release.rendered(chart, values, Capabilities.of(api)).armingValues();
  }

  /** Ends that all guards are disarmed, whatever is wished. */
  public void endDisarming() {
    var installed = new Installed(api, release);
    if (installed.disarmed().isPresent()) {
      console.heading("The guard, so far disarmed");
      console.result(new Removal(api).remove(Disarming.path(release.namespace())));
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
    var wrong = new Rollout(api, release, console).await(limit);
    if (!wrong.isEmpty()) {
      console.verdict(false, "not ready after %ds".formatted(limit.toSeconds()));
      wrong.forEach(console::result);
      new CrashLogs(api).of(new Installed(api, release).pods()).forEach(console::result);
      before.ifPresent(
          revision -> console.result("to go back: " + release.rollbackCommand(revision)));
      return false;
    }
    console.verdict(true, "every replica is ready");
    var disarmed = new Installed(api, release).disarmed();
    if (disarmed.isPresent()) {
      console.verdict(false, disarmed.get());
      return false;
    }
    return probe(Probe::await) != Weight.WRONG;
  }

  /**
   * Whether the guard is seen to work, before it is armed: then writes fail while it does not.
   *
   * @param untried whether to take it for working where it cannot be tried
   */
  public boolean mayBeArmed(boolean untried) throws InterruptedException {
    var tried = probe(Probe::run);
    if (tried == Weight.NOTE) {
      console.verdict(
          untried,
          untried
              ? "it is armed untried (--untried)"
              : "it was not seen to work: let somebody arm it as whom it can be tried, or arm it"
                  + " untried (--untried)");
    }
    return tried == Weight.GOOD || (tried == Weight.NOTE && untried);
  }

  /** Tries the guard through the API server, and says what came of it. */
  private Weight probe(Function<Probe, List<Probe.Finding>> trying) throws InterruptedException {
    console.heading("The guard, tried through the API server");
    var installed = new Installed(api, release);
    var registered = installed.validating();
    if (registered.isEmpty()) {
      var none = "the release has no ValidatingWebhookConfiguration";
      console.verdict(false, installed.disarmed().orElse(none));
      return Weight.WRONG;
    }
    var leftOut = LeftOut.reason(release.values(), user());
    var worst = Weight.GOOD;
    for (var configuration : registered) {
      var name = WebhookConfiguration.of(configuration).name();
      for (var finding : trying.apply(new Probe(api, name, leftOut))) {
        say(finding.weight(), finding.text());
        worst = finding.weight().compareTo(worst) > 0 ? finding.weight() : worst;
      }
    }
    return worst;
  }

  /** As whom the API server knows us. */
  private JsonNode user() {
    var review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authentication.k8s.io/v1").put("kind", "SelfSubjectReview");
    var path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    return api.post(path, review).requireSuccess("POST " + path).body().at("/status/userInfo");
  }

  private void say(Weight weight, String line) {
    switch (weight) {
      case GOOD -> console.verdict(true, line);
      case NOTE -> console.result(line);
      case WRONG -> console.verdict(false, line);
    }
  }
}
