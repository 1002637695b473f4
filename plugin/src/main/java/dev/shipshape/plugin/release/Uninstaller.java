package dev.shipshape.plugin.release;

import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.arming.Arming;
import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Takes a release out of the cluster, in an order in which nothing is ever blocked. */
public final class Uninstaller {
  /**
   * Enough to end in order. Nothing asks them any more, so they need not wait for the API server to
   * close the connections that it keeps.
   */
  private static final Duration END = Duration.ofSeconds(20);

  private static final Duration PODS = Duration.ofMinutes(2);
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final KubernetesClient client;
  private final HelmRelease release;
  private final Console console;
  private final ReleaseObjects objects;
  private final Remover remover;

  public Uninstaller(KubernetesClient client, HelmRelease release, Console console) {
    this.client = client;
    this.release = release;
    this.console = console;
    this.objects = new ReleaseObjects(client, release);
    this.remover = new Remover(client);
  }

  /**
   * Says what would go. Changes nothing.
   *
   * @return as {@link #run}
   * @throws StartFailure as {@link #run}
   */
  public boolean show() throws InterruptedException {
    var others = others();
    var removed = new LinkedHashSet<String>();
    objects.mutating().forEach(each -> removed.add("MutatingWebhookConfiguration " + each.name()));
    objects
        .validating()
        .forEach(each -> removed.add("ValidatingWebhookConfiguration " + each.name()));
    removed.addAll(release.installed().removable());
    objects.hooks().forEach(hook -> removed.add(Remover.name(hook) + ", left by a hook"));
    if (others.isEmpty()) {
      madeAtRunTime().forEach(made -> removed.add(Remover.name(made) + ", made at run time"));
    }
    console.heading("What would be removed");
    removed.forEach(object -> console.result("- " + object));
    if (!removed.isEmpty()) {
      return true;
    }
    var elsewhere = objects.elsewhere();
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
    var exists = release.exists();
    var elsewhere = exists ? List.<String>of() : objects.elsewhere();
    console.heading("The webhook configurations, so that nothing asks a webhook that is gone");
    var wasRegistered = !objects.webhookConfigurations().isEmpty();
    // While the mutating one is there, a replica writes the validating one anew.
    objects.mutating().forEach(each -> console.result(remover.mutating(each.name())));
    objects.validating().forEach(each -> console.result(remover.validating(each.name())));
    console.heading("The release");
    if (exists) {
      release.remove();
      console.result(release + ": removed");
    } else {
      console.result(release + ": was not there" + note(elsewhere));
    }
    objects.pods().forEach(pod -> remover.hasten(pod, END));
    // Until the servers have ended they would make anew what is removed.
    awaitNone("the servers' pods", objects::pods);
    objects.hooks().forEach(hook -> console.result(remover.remove(hook)));
    awaitNone("what Helm's hooks left", objects::hooks);
    if (!others.isEmpty()) {
      console.result(
          "certificates and leases stay, as %s is in this namespace too"
              .formatted(String.join(", ", others)));
      return true;
    }
    console.heading("What was made at run time");
    var made = madeAtRunTime();
    made.forEach(each -> console.result(remover.remove(each)));
    if (hasKnownInvalid()) {
      console.result(
          "what is known invalid stays; this removes it: kubectl delete crd "
              + KnownInvalidClient.RESOURCE);
    }
    return elsewhere.isEmpty() || wasRegistered || !made.isEmpty();
  }

  /** Who forgot the namespace must not take the release for gone. */
  private static String note(List<String> namespaces) {
    return namespaces.isEmpty()
        ? ""
        : ", but there is one in namespace %s, which stays"
            .formatted(String.join(", ", namespaces));
  }

  /** The other releases here, if this one is here too. */
  private List<String> others() throws InterruptedException {
    var others = objects.others();
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
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
  }

  private boolean hasKnownInvalid() {
    return client
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName(KnownInvalidClient.RESOURCE)
            .get()
        != null;
  }

  /**
   * What the servers made. The webhook labels its Secret, and the chart has cert-manager do the
   * same, which leaves its Secrets behind; one that a user or another product brought has no such
   * label.
   */
  private List<HasMetadata> madeAtRunTime() {
    var namespace = release.namespace();
    var secrets =
        client.secrets().inNamespace(namespace).withLabel("shipshape.dev/certificates").list();
    var made = new ArrayList<HasMetadata>(secrets.getItems());
    var lease = client.leases().inNamespace(namespace).withName(Janitor.LEASE).get();
    Optional.ofNullable(lease).ifPresent(made::add);
    Stream.of(Arming.DISARMED, JanitorStatus.CONFIG_MAP)
        .map(name -> client.configMaps().inNamespace(namespace).withName(name).get())
        .filter(Objects::nonNull)
        .forEach(made::add);
    return made;
  }
}
