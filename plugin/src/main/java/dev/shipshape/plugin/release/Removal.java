package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.DeleteOptions;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.time.Duration;
import java.util.List;

/** Removes what must go before, and what Helm does not know of after, an uninstall. */
public final class Removal {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  /** The webhook writes a configuration about once a second at most. */
  private static final int TRIES = 10;

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
    // While the mutating one is there, a replica writes the validating one anew.
    return List.of(mutating(mutating), validating(validating));
  }

  String validating(String name) {
    return remove(REGISTRATION + "validatingwebhookconfigurations/" + name);
  }

  String mutating(String name) {
    return remove(REGISTRATION + "mutatingwebhookconfigurations/" + name);
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

  /** Only the very object that was read is deleted; one that is written meanwhile is read again. */
  String remove(String path) {
    return remove(path, TRIES);
  }

  private String remove(String path, int tries) {
    var found = api.find(path);
    var name = name(path);
    if (found.isEmpty()) {
      return name + ": was not there";
    }
    var uid = found.get().at("/metadata/uid").asText();
    var version = found.get().at("/metadata/resourceVersion").asText();
    var answer = api.delete(path, new DeleteOptions(uid, version));
    if (answer.code() == 409 && tries > 1) {
      return remove(path, tries - 1);
    }
    if (answer.code() != 404) {
      answer.requireSuccess("DELETE " + path);
    }
    return name + ": removed (uid %s)".formatted(uid);
  }

  /** What a person calls the object at a path: {@code leases/shipshape-webhook}. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1);
  }
}
