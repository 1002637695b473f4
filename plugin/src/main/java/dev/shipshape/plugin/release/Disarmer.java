package dev.shipshape.plugin.release;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.webhook.arming.Arming;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Disarms a release's guard at once: without Helm, and with no replica alive. */
public final class Disarmer {
  private static final String NAME = "configmaps/" + Arming.DISARMED;

  private final KubernetesClient client;
  private final HelmRelease release;
  private final Console console;
  private boolean isNamespaceGone;

  public Disarmer(KubernetesClient client, HelmRelease release, Console console) {
    this.client = client;
    this.release = release;
    this.console = console;
  }

  /**
   * Disarms it; a guard that is disarmed already is no failure.
   *
   * @return whether it is disarmed, and stays so
   */
  public boolean run() {
    console.heading("Disarming " + release);
    var stays = forbid();
    var objects = new ReleaseObjects(client, release);
    var registered = objects.validating();
    registered.forEach(each -> console.result(new Remover(client).validating(each.name())));
    var elsewhere = objects.elsewhere();
    if (registered.isEmpty()
        && objects.mutating().isEmpty()
        && !(isNamespaceGone && elsewhere.isEmpty())) {
      console.verdict(
          false,
          "there are no webhook configurations of %s%s"
              .formatted(
                  release,
                  elsewhere.isEmpty()
                      ? ""
                      : ", but there are in namespace " + String.join(", ", elsewhere)));
      return false;
    }
    console.verdict(
        true,
        "no ValidatingWebhookConfiguration is left: within seconds no write is refused or warned"
            + " of");
    return stays;
  }

  /**
   * Whether there is no namespace, or not for long, so that nothing keeps the guard disarmed, or
   * has to.
   */
  public boolean isNamespaceGone() {
    return isNamespaceGone;
  }

  /** First, since a replica would write the configuration anew. A failure here ends nothing. */
  private boolean forbid() {
    var configMap =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(Arming.DISARMED)
            .addToLabels("app.kubernetes.io/part-of", "shipshape")
            .endMetadata()
            .addToData("since", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
            .addToData("by", "disarm --now")
            .build();
    try {
      client.configMaps().inNamespace(release.namespace()).resource(configMap).create();
      console.result(NAME + ": made");
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        console.result(NAME + ": was there already");
        return true;
      }
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          || String.valueOf(e.getMessage()).contains("because it is being terminated")) {
        isNamespaceGone = true;
        console.result(
            "%s: not made, for the namespace %s is gone or going, with every replica that could arm anew"
                .formatted(NAME, release.namespace()));
        return true;
      }
      console.verdict(
          false,
          "%s could not be made, and a replica that runs registers the guard again within seconds: %s"
              .formatted(NAME, ApiErrors.reason(e)));
      return false;
    }
  }
}
