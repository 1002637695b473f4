package dev.shipshape.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Deletes one unchanged object, by uid and resourceVersion: the client's own call sends no uid. */
public final class GuardedDelete {
  private GuardedDelete() {}

  /**
   * Deletes the object, and its dependents in the background: the default of some kinds (Job) would
   * orphan them.
   *
   * @param path of the object, with the leading slash
   * @return whether it is gone; otherwise it has a deletion timestamp and waits for its finalizers
   * @throws KubernetesClientException with code 409 if the object was replaced or has changed, with
   *     404 if it does not exist. Without an answer, the object may have been deleted
   */
  public static boolean send(
      KubernetesClient client, String path, String uid, String resourceVersion) {
    var options =
        new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withPropagationPolicy("Background")
            .withNewPreconditions(resourceVersion, uid)
            .build();
    var response = client.raw(path, "DELETE", options);
    // The answer is a Status if the object is gone; the object itself if it has finalizers.
    JsonNode answer =
        response.startsWith("{")
            ? client.getKubernetesSerialization().unmarshal(response, JsonNode.class)
            : MissingNode.getInstance();
    var isGone = answer.path("kind").asText().equals("Status");
    if (!isGone && !answer.at("/metadata/uid").asText().equals(uid)) {
      throw new KubernetesClientException(
          "DELETE %s: the answer is neither a Status nor the object; check whether a proxy answered instead of the API server"
              .formatted(path));
    }
    return isGone;
  }
}
