package dev.shipshape.plugin.release;

import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.Console;
import dev.shipshape.service.StartFailure;
import java.time.Duration;
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
   * @throws StartFailure as {@link #run}
   */
  public void show() throws InterruptedException {
    var others = others();
    console.heading("What would be removed");
    release.installed().objects().keySet().forEach(name -> console.result("- " + name));
    installed.hooks().forEach(hook -> console.result("- " + hook + ", left by a hook"));
    if (!others.isEmpty()) {
      return;
    }
    madeByUs().forEach(name -> console.result("- " + name + ", made at run time"));
  }

  /**
   * Removes all of it. What is gone already is no failure, so it can be run again.
   *
   * @param memory whether what is known invalid is to be forgotten too
   * @throws StartFailure where another release is in the namespace, and not this one
   */
  public void run(boolean memory) throws InterruptedException {
    var others = others();
    var secrets = certificates();
    console.heading("The webhook configurations, so that nothing asks a webhook that is gone");
    for (var name : Installed.names(installed.validating())) {
      console.result(removal.validating(name));
    }
    for (var name : Installed.names(installed.mutating())) {
      console.result(removal.mutating(name));
    }
    console.heading("The release");
    if (release.exists()) {
      release.remove();
      console.result(release + ": removed");
    } else {
      console.result(release + ": was not there");
    }
    installed.pods().forEach(pod -> removal.hasten(release.namespace(), pod, END));
    // Until the servers have ended they would make anew what is removed.
    awaitNone("the servers' pods", installed::pods);
    installed.hooks().forEach(hook -> console.result(removal.remove(hook)));
    awaitNone("what Helm's hooks left", installed::hooks);
    if (!others.isEmpty()) {
      console.result(
          "certificates, leases and memory stay, as %s is in this namespace too"
              .formatted(String.join(", ", others)));
      return;
    }
    console.heading("What the servers made at run time");
    for (var secret : secrets) {
      console.result(removal.secret(release.namespace(), secret));
    }
    removal.leases(release.namespace()).forEach(console::result);
    if (memory) {
      console.result(removal.memory(release.namespace()));
    }
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

  private List<String> madeByUs() {
    return certificates().stream().map(name -> "Secret " + name).toList();
  }

  /** The webhook labels its Secret as its own; one that a user brought has no such label. */
  private List<String> certificates() {
    var path =
        "/api/v1/namespaces/%s/secrets?labelSelector=shipshape.dev/certificates%%3Dself-managed"
            .formatted(release.namespace());
    return Installed.names(Installed.items(api.require(path).body()));
  }
}
