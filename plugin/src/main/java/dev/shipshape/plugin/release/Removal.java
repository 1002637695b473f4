package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.webhook.WebhookServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Removes what must go before, and what Helm does not know of after, an uninstall. */
public final class Removal {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private final KubernetesApi api;

  /** In the cluster of {@code api}. */
  public Removal(KubernetesApi api) {
    this.api = api;
  }

  /**
   * Removes both webhook configurations; what is gone already is no failure.
   *
   * @return what was done, a line each
   * @throws ApiFailure where one cannot be removed
   */
  public List<String> webhooks(String validating, String mutating) {
    return List.of(validating(validating), mutating(mutating));
  }

  String validating(String name) {
    return remove(REGISTRATION + "validatingwebhookconfigurations/" + name);
  }

  String mutating(String name) {
    return remove(REGISTRATION + "mutatingwebhookconfigurations/" + name);
  }

  String secret(String namespace, String name) {
    return remove("/api/v1/namespaces/%s/secrets/%s".formatted(namespace, name));
  }

  /** What the replicas elected their leaders by. */
  List<String> leases(String namespace) {
    var leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases/".formatted(namespace);
    return Stream.of(WebhookServer.LEASE, WebhookServer.MEMORY_LEASE, Janitor.LEASE)
        .map(lease -> remove(leases + lease))
        .toList();
  }

  /** What is known invalid. */
  String memory(String namespace) {
    return remove("/api/v1/namespaces/%s/configmaps/shipshape-known-invalid".formatted(namespace));
  }

  /** Gives a pod that ends, or is to end, so long and no longer. */
  void hasten(String namespace, JsonNode pod, Duration grace) {
    var path =
        "/api/v1/namespaces/%s/pods/%s".formatted(namespace, pod.at("/metadata/name").asText());
    var uid = pod.at("/metadata/uid").asText();
    var answer = api.delete(path, new DeleteOptions(uid, null, (int) grace.toSeconds()));
    // Gone, or gone and made anew.
    if (answer.code() != 404 && answer.code() != 409) {
      answer.requireSuccess("DELETE " + path);
    }
  }

  /** Only the very object that was read is deleted, not one that took its name meanwhile. */
  String remove(String path) {
    var found = api.find(path);
    var name = path.substring(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1);
    if (found.isEmpty()) {
      return name + ": was not there";
    }
    var uid = found.get().at("/metadata/uid").asText();
    var version = found.get().at("/metadata/resourceVersion").asText();
    var answer = api.delete(path, new DeleteOptions(uid, version));
    if (answer.code() != 404) {
      answer.requireSuccess("DELETE " + path);
    }
    return name + ": removed (uid %s)".formatted(uid);
  }
}
