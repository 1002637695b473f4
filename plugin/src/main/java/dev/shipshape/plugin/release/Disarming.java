package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.Console;
import dev.shipshape.webhook.arming.Arming;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Takes a release's guard out of the way at once: without Helm, and with no replica alive. */
public final class Disarming {
  private final KubernetesApi api;
  private final Release release;
  private final Console console;

  /** Of one release in the cluster of {@code api}. */
  public Disarming(KubernetesApi api, Release release, Console console) {
    this.api = api;
    this.release = release;
    this.console = console;
  }

  static String path(String namespace) {
    return configMaps(namespace) + "/" + Arming.DISARMED;
  }

  private static String configMaps(String namespace) {
    return "/api/v1/namespaces/%s/configmaps".formatted(namespace);
  }

  /**
   * Disarms it; what is so already is no failure.
   *
   * @return whether it is, and stays so
   * @throws ApiFailure where it cannot be
   */
  public boolean run() {
    console.heading("Disarming " + release);
    var stays = forbid();
    var installed = new Installed(api, release);
    var names = Installed.names(installed.validating());
    names.forEach(name -> console.result(new Removal(api).validating(name)));
    if (names.isEmpty() && installed.mutating().isEmpty()) {
      var elsewhere = installed.elsewhere();
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
        "no ValidatingWebhookConfiguration asks it; API servers know within seconds, and then no"
            + " write is refused, or warned of");
    return stays;
  }

  /** First, as a replica would write the configuration anew; what of it fails keeps nothing up. */
  private boolean forbid() {
    var configMap = JsonNodeFactory.instance.objectNode();
    configMap.put("apiVersion", "v1").put("kind", "ConfigMap");
    configMap
        .putObject("metadata")
        .put("name", Arming.DISARMED)
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "shipshape");
    configMap
        .putObject("data")
        .put("since", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("by", "disarm --now");
    var path = configMaps(release.namespace());
    var name = Removal.name(path(release.namespace()));
    try {
      var answer = api.post(path, configMap);
      var isThere = answer.code() == 409;
      if (!isThere) {
        answer.requireSuccess("POST " + path);
      }
      console.result(name + (isThere ? ": was there already" : ": made"));
      return true;
    } catch (ApiFailure e) {
      console.verdict(
          false,
          "%s could not be made, and a replica that runs registers the guard again within seconds:"
                  .formatted(name)
              + " "
              + e.getMessage());
      return false;
    }
  }
}
