package dev.shipshape.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** A deletion of one object as it was seen, and of no other: the client's own sends no uid. */
public final class GuardedDelete {
  private GuardedDelete() {}

  /**
   * Deletes it, and in the background what it owns: the default of some kinds (Job) would orphan
   * that.
   *
   * @param path the object's, from the slash
   * @return whether it is gone; otherwise it is marked, and goes once its finalizers are done
   * @throws io.fabric8.kubernetes.client.KubernetesClientException with code 409 where it is
   *     another object by now or has changed, 404 where there is none, or where no answer came: it
   *     may be carried out all the same then
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
    // A Status says that the object is gone; the object itself, that finalizers hold it.
    return client
        .getKubernetesSerialization()
        .unmarshal(response, JsonNode.class)
        .path("kind")
        .asText()
        .equals("Status");
  }
}
