package dev.shipshape.plugin.release;

import dev.shipshape.service.GuardedDelete;
import dev.shipshape.webhook.arming.Arming;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;

/** Removes what must go before an uninstall, and what Helm does not remove. */
public record Remover(KubernetesClient client) {
  /** The webhook writes a configuration at most about once a second. */
  private static final int TRIES = 10;

  /** Removes a configuration; an absent one is no failure. */
  String remove(WebhookConfiguration configuration) {
    return configuration.kind().startsWith("Mutating")
        ? mutating(configuration.name())
        : validating(configuration.name());
  }

  public String validating(String name) {
    return remove(
        "validatingwebhookconfigurations/" + name,
        client.admissionRegistration().v1().validatingWebhookConfigurations().withName(name));
  }

  public String mutating(String name) {
    return remove(
        "mutatingwebhookconfigurations/" + name,
        client.admissionRegistration().v1().mutatingWebhookConfigurations().withName(name));
  }

  /** Removes the ConfigMap that keeps all guards in the namespace disarmed. */
  String disarmed(String namespace) {
    return remove(
        "configmaps/" + Arming.DISARMED,
        client.configMaps().inNamespace(namespace).withName(Arming.DISARMED));
  }

  /** Shortens a pod's grace period. */
  void shortenGracePeriod(Pod pod, Duration grace) {
    var options =
        new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withPropagationPolicy("Background")
            .withGracePeriodSeconds(grace.toSeconds())
            .withNewPreconditions(null, pod.getMetadata().getUid())
            .build();
    try {
      client.raw(path(pod), "DELETE", options);
    } catch (KubernetesClientException e) {
      // Gone, or replaced by a new one.
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND
          && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
  }

  String remove(HasMetadata object) {
    return remove(name(object), client.resource(object));
  }

  /** Deletes only the object that was read; if it was changed meanwhile, reads it again. */
  private String remove(String name, Resource<? extends HasMetadata> resource) {
    for (var tries = TRIES; ; tries--) {
      var found = resource.get();
      if (found == null) {
        return name + ": was not there";
      }
      var metadata = found.getMetadata();
      try {
        GuardedDelete.send(client, path(found), metadata.getUid(), metadata.getResourceVersion());
      } catch (KubernetesClientException e) {
        if (e.getCode() == HttpURLConnection.HTTP_CONFLICT && tries > 1) {
          continue;
        }
        if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
          throw e;
        }
      }
      return name + ": removed (uid %s)".formatted(metadata.getUid());
    }
  }

  /** Names an object for people: {@code leases/shipshape-janitor}. */
  static String name(HasMetadata object) {
    return object.getPlural() + "/" + object.getMetadata().getName();
  }

  private static String path(HasMetadata object) {
    var namespace = object.getMetadata().getNamespace();
    return "%s%s%s/%s"
        .formatted(
            object.getApiVersion().contains("/") ? "/apis/" : "/api/",
            object.getApiVersion(),
            namespace == null ? "" : "/namespaces/" + namespace,
            name(object));
  }
}
