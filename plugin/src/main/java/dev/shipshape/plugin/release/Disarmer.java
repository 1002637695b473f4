package dev.shipshape.plugin.release;

import dev.shipshape.service.ApiErrors;
import dev.shipshape.webhook.arming.Arming;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Collectors;

/** Disarms a release's guards at once: without Helm, and without a running replica. */
public record Disarmer(KubernetesClient client, HelmRelease release, Console console) {
  private static final String NAME = "configmaps/" + Arming.DISARMED;

  public enum Result {
    DISARMED,
    /** The namespace is absent or terminating: nothing keeps the guards disarmed. */
    NAMESPACE_GONE,
    FAILED
  }

  /** Disarms them. Already disarmed guards are no failure. */
  public Result run() {
    console.heading("Disarming " + release);
    var objects = new ReleaseObjects(client, release);
    var absence = absence(objects);
    if (absence.isPresent()) {
      console.verdict(false, absence.get());
      return Result.FAILED;
    }
    var result = forbid();
    var stays = result != Result.FAILED;
    try {
      objects
          .validating()
          .forEach(each -> console.result(new Remover(client).validating(each.name())));
    } catch (KubernetesClientException e) {
      if (!stays) {
        throw e;
      }
      console.verdict(
          false,
          "a running replica removes the ValidatingWebhookConfiguration within seconds, but this could not: %s"
              .formatted(ApiErrors.reason(e)));
      return Result.FAILED;
    }
    console.verdict(
        stays,
        stays
            ? "no ValidatingWebhookConfiguration is left: within seconds this release refuses no"
                + " write"
            : "no ValidatingWebhookConfiguration is left, but a replica will write it again: %s keeps it away until the next upgrade"
                .formatted(
                    release.kubectl(
                        objects.mutating().stream()
                            .map(WebhookConfiguration::name)
                            .collect(
                                Collectors.joining(
                                    " ", "delete mutatingwebhookconfiguration ", "")))));
    return result;
  }

  /**
   * Reports that nothing of the release is here, and which ones may be meant: a ConfigMap would
   * disarm another release. Empty if it is here, or if it may be.
   */
  private Optional<String> absence(ReleaseObjects objects) {
    try {
      if (!objects.webhookConfigurations().isEmpty() || !objects.deployments().isEmpty()) {
        return Optional.empty();
      }
      var others = objects.alternatives();
      return others.isEmpty() && objects.isNamespaceAbsent(release.namespace())
          ? Optional.empty()
          : Optional.of(
              "there are no webhook configurations of %s%s"
                  .formatted(
                      release, others.stream().map("; "::concat).collect(Collectors.joining())));
    } catch (KubernetesClientException e) {
      // In an emergency, what cannot be looked at is no reason to wait.
      return Optional.empty();
    }
  }

  /**
   * Before the removal, because a replica would write the configuration again. A failure does not
   * end the command.
   */
  private Result forbid() {
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
      return Result.DISARMED;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        console.result(NAME + ": was there already");
        return Result.DISARMED;
      }
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          || String.valueOf(e.getMessage()).contains("because it is being terminated")) {
        console.result(
            "%s: not created: the namespace %s is absent or terminating, so no replica can arm again"
                .formatted(NAME, release.namespace()));
        return Result.NAMESPACE_GONE;
      }
      console.verdict(
          false,
          "%s %s, and a replica that runs registers the guard again within seconds: %s"
              .formatted(
                  NAME,
                  ApiErrors.isUnanswered(e)
                      ? "may not have been made (run this again)"
                      : "could not be made",
                  ApiErrors.reason(e)));
      return Result.FAILED;
    }
  }
}
