package dev.shipshape.plugin.release;

import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.arming.Arming;
import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Uninstalls a release, in an order in which no write is ever blocked. */
public record Uninstaller(KubernetesClient client, HelmRelease release, Console console) {
  /**
   * The grace period of the servers' pods. The webhook is not registered any more, so it need not
   * wait for the API server to close its connections.
   */
  private static final Duration END = Duration.ofSeconds(20);

  private static final Duration PODS = Duration.ofMinutes(2);

  private ReleaseObjects objects() {
    return new ReleaseObjects(client, release);
  }

  private Remover remover() {
    return new Remover(client);
  }

  /** Shows what would be removed. Changes nothing. */
  public boolean show() throws InterruptedException {
    var others = others();
    var removed = new LinkedHashSet<String>();
    objects().webhookConfigurations().forEach(each -> removed.add(each.kind() + " " + each.name()));
    removed.addAll(release.installed().removable());
    if (others.isEmpty()) {
      madeAtRunTime().forEach(made -> removed.add(Remover.name(made) + ", made at run time"));
    }
    console.heading("What would be removed");
    removed.forEach(object -> console.result("- " + object));
    var elsewhere = removed.isEmpty() ? objects().elsewhere() : List.<String>of();
    if (removed.isEmpty()) {
      console.result(
          elsewhere.isEmpty()
              ? "nothing"
              : "there is no release %s; there is one in: %s"
                  .formatted(release, String.join(", ", elsewhere)));
    }
    return elsewhere.isEmpty();
  }

  /**
   * Removes everything. It can be repeated: an absent object is no failure.
   *
   * @return whether this release is gone; false if nothing of it was here, and another namespace
   *     has a release of this name
   * @throws StartFailure if another release is in the namespace, and not this one; or if this one
   *     runs, and Helm does not know it
   */
  public boolean run() throws InterruptedException {
    var others = others();
    var exists = release.exists();
    // The user may have forgotten the namespace.
    var elsewhere = exists ? List.<String>of() : objects().elsewhere();
    console.heading("The webhook configurations, so that nothing asks a webhook that is gone");
    var registered = objects().webhookConfigurations();
    registered.forEach(each -> console.result(remover().remove(each)));
    console.heading("The release");
    if (exists) {
      release.remove();
      console.result(release + ": removed");
    } else {
      console.result(
          "%s: was not there%s"
              .formatted(
                  release,
                  elsewhere.isEmpty()
                      ? "; after its namespace was deleted, this shows its roles outside: "
                          + release.kubectl(
                              "get clusterroles,clusterrolebindings,roles,rolebindings"
                                  + " --all-namespaces --selector"
                                  + " shipshape.dev/release="
                                  + release.name())
                      : ", but there is one in namespace %s, which stays"
                          .formatted(String.join(", ", elsewhere))));
    }
    objects().pods().forEach(pod -> remover().shortenGracePeriod(pod, END));
    awaitEndOfPods();
    if (!others.isEmpty()) {
      console.result(
          "certificates and leases stay, as %s is in this namespace too"
              .formatted(String.join(", ", others)));
      return true;
    }
    console.heading("What was made at run time");
    var made = madeAtRunTime();
    made.forEach(each -> console.result(remover().remove(each)));
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    if (definitions.withName(KnownInvalidClient.RESOURCE).get() != null) {
      console.result(
          "known-invalid configurations stay, and a release of another name or namespace takes them"
              + " over by helm upgrade --install --take-ownership; if no other release uses them,"
              + " this removes them: "
              + release.kubectl("delete crd " + KnownInvalidClient.RESOURCE));
    }
    return elsewhere.isEmpty() || !registered.isEmpty() || !made.isEmpty();
  }

  /** Returns the other releases here, if this one is here too. */
  private List<String> others() throws InterruptedException {
    var others = objects().others();
    if (!others.isEmpty() && !release.exists()) {
      throw new StartFailure(
          "there is no release %s, but %s is in that namespace: nothing was removed"
              .formatted(release, String.join(", ", others)));
    }
    if (objects().isRunning() && !release.exists()) {
      throw new StartFailure(
          "%s runs, but Helm does not know it: delete it first with the tool that installed it, then this removes the rest (docs/how-to/gitops.md); nothing was removed"
              .formatted(release));
    }
    return others;
  }

  /** Running servers would create again what is removed. */
  private void awaitEndOfPods() throws InterruptedException {
    var end = System.nanoTime() + PODS.toNanos();
    while (!objects().pods().isEmpty()) {
      if (System.nanoTime() > end) {
        throw new StartFailure(
            "the pods of %s have not ended within %d s; run this again once they have"
                .formatted(release, PODS.toSeconds()));
      }
      Installer.pause();
    }
  }

  /**
   * Returns what the servers created. The webhook labels its Secret, and by the chart cert-manager
   * labels the Secrets that it leaves behind; a Secret of the user has no such label.
   */
  private List<HasMetadata> madeAtRunTime() {
    var namespace = release.namespace();
    var secrets =
        client.secrets().inNamespace(namespace).withLabel("shipshape.dev/certificates").list();
    var configMaps = client.configMaps().inNamespace(namespace);
    return Stream.concat(
            secrets.getItems().stream(),
            Stream.of(
                    client.leases().inNamespace(namespace).withName(Janitor.LEASE).get(),
                    configMaps.withName(Arming.DISARMED).get(),
                    configMaps.withName(JanitorStatus.CONFIG_MAP).get())
                .filter(Objects::nonNull))
        .<HasMetadata>map(each -> each)
        .toList();
  }
}
