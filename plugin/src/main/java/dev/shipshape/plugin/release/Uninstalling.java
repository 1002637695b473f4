package dev.shipshape.plugin.release;

import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.Console;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.store.KnownInvalidClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Takes a release out of the cluster, in an order in which nothing is ever blocked. */
public final class Uninstalling {
  /**
   * Enough to end in order. Nothing asks them any more, so they need not wait for the API server to
   * close the connections that it keeps.
   */
  private static final Duration END = Duration.ofSeconds(20);

  private static final Duration PODS = Duration.ofMinutes(2);
  private static final Duration PACE = Duration.ofMillis(500);

  /** What the replicas elected their leaders by. */
  private static final List<String> LEASES = List.of(Janitor.LEASE);

  private static final String DEFINITION =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + KnownInvalidClient.RESOURCE;

  private final KubernetesApi api;
  private final Release release;
  private final Console console;
  private final Installed installed;
  private final Removal removal;

  /** Of one release, out of the cluster of {@code api}. */
  public Uninstalling(KubernetesApi api, Release release, Console console) {
    this.api = api;
    this.release = release;
    this.console = console;
    this.installed = new Installed(api, release);
    this.removal = new Removal(api);
  }

  /**
   * Says what would go. Changes nothing.
   *
   * @return as {@link #run}
   * @throws StartFailure as {@link #run}
   */
  public boolean show() throws InterruptedException {
    var others = others();
    var objects = new LinkedHashSet<String>();
    Installed.names(installed.mutating())
        .forEach(name -> objects.add("MutatingWebhookConfiguration " + name));
    Installed.names(installed.validating())
        .forEach(name -> objects.add("ValidatingWebhookConfiguration " + name));
    objects.addAll(release.installed().removable());
    installed.hooks().forEach(hook -> objects.add(Removal.name(hook) + ", left by a hook"));
    if (others.isEmpty()) {
      madeAtRunTime().stream()
          .filter(path -> api.find(path).isPresent())
          .forEach(path -> objects.add(Removal.name(path) + ", made at run time"));
    }
    console.heading("What would be removed");
    objects.forEach(object -> console.result("- " + object));
    if (!objects.isEmpty()) {
      return true;
    }
    var elsewhere = installed.elsewhere();
    console.result(
        elsewhere.isEmpty()
            ? "nothing"
            : "there is no release %s; there is one in: %s"
                .formatted(release, String.join(", ", elsewhere)));
    return elsewhere.isEmpty();
  }

  /**
   * Removes all of it. What is gone already is no failure, so it can be run again.
   *
   * @return whether it is this release that is gone; not so where nothing of one was here, and
   *     another namespace has one of its name
   * @throws StartFailure where another release is in the namespace, and not this one
   */
  public boolean run() throws InterruptedException {
    var others = others();
    var elsewhere = release.exists() ? List.<String>of() : installed.elsewhere();
    console.heading("The webhook configurations, so that nothing asks a webhook that is gone");
    var wasAsked = installed.webhookConfigurations().findAny().isPresent();
    // While the mutating one is there, a replica writes the validating one anew.
    for (var name : Installed.names(installed.mutating())) {
      console.result(removal.mutating(name));
    }
    for (var name : Installed.names(installed.validating())) {
      console.result(removal.validating(name));
    }
    console.heading("The release");
    if (release.exists()) {
      release.remove();
      console.result(release + ": removed");
    } else {
      console.result(release + ": was not there" + said(elsewhere));
    }
    installed.pods().forEach(pod -> removal.hasten(release.namespace(), pod, END));
    // Until the servers have ended they would make anew what is removed.
    awaitNone("the servers' pods", installed::pods);
    installed.hooks().forEach(hook -> console.result(removal.remove(hook)));
    awaitNone("what Helm's hooks left", installed::hooks);
    if (!others.isEmpty()) {
      console.result(
          "certificates and leases stay, as %s is in this namespace too"
              .formatted(String.join(", ", others)));
      return true;
    }
    console.heading("What was made at run time");
    var made = madeAtRunTime();
    var found = made.stream().filter(path -> api.find(path).isPresent()).toList();
    made.forEach(path -> console.result(removal.remove(path)));
    if (api.find(DEFINITION).isPresent()) {
      console.result(
          "what is known invalid stays; this removes it: kubectl delete crd "
              + KnownInvalidClient.RESOURCE);
    }
    return elsewhere.isEmpty() || wasAsked || !found.isEmpty();
  }

  /** Who forgot the namespace must not take the release for gone. */
  private static String said(List<String> namespaces) {
    return namespaces.isEmpty()
        ? ""
        : ", but there is one in namespace %s, which stays"
            .formatted(String.join(", ", namespaces));
  }

  /** The other releases here, if this one is here too. */
  private List<String> others() throws InterruptedException {
    var others = installed.others();
    if (!others.isEmpty() && !release.exists()) {
      throw new StartFailure(
          "there is no release %s, but %s is in that namespace: nothing was removed"
              .formatted(release, String.join(", ", others)));
    }
    return others;
  }

  private void awaitNone(String what, Supplier<List<?>> left) {
    var end = System.nanoTime() + PODS.toNanos();
    while (!left.get().isEmpty()) {
      if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        throw new StartFailure(
            "%s of %s have not ended within %s; run this again once they have"
                .formatted(what, release, PODS));
      }
      LockSupport.parkNanos(PACE.toNanos());
    }
  }

  /** The paths of what Helm does not know of, whether it is there or not. */
  private List<String> madeAtRunTime() {
    var core = "/api/v1/namespaces/" + release.namespace();
    var leases =
        "/apis/coordination.k8s.io/v1/namespaces/%s/leases/".formatted(release.namespace());
    var made = new ArrayList<String>();
    certificates(core + "/secrets").forEach(name -> made.add(core + "/secrets/" + name));
    LEASES.forEach(name -> made.add(leases + name));
    made.add(Disarming.path(release.namespace()));
    return made;
  }

  /**
   * The webhook labels its Secret so, and the chart has cert-manager do the same, which leaves its
   * Secrets behind; one that a user or another product brought has no such label.
   */
  private List<String> certificates(String secrets) {
    var path = secrets + "?labelSelector=shipshape.dev/certificates";
    return Installed.names(Installed.items(api.require(path).body()));
  }
}
