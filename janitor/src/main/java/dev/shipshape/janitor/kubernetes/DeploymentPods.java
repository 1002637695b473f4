package dev.shipshape.janitor.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The pods of a Deployment: those that its ReplicaSets own. By labels alone, anybody who may make a
 * pod could speak for the operator.
 */
public final class DeploymentPods {
  private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

  private final KubernetesApi api;
  private final String namespace;
  private final String name;

  /** Of the Deployment of this name. */
  public DeploymentPods(KubernetesApi api, String namespace, String name) {
    this.api = api;
    this.namespace = namespace;
    this.name = name;
  }

  /**
   * Reads those that still matter. One that is being deleted no longer does, nor does one that has
   * ended, as by an eviction: it stays for long, while another does its work.
   *
   * @throws ApiFailure where they cannot be listed to the end
   */
  public void living(Consumer<JsonNode> each) {
    var path = "/apis/apps/v1/namespaces/%s/deployments/%s".formatted(namespace, name);
    all(
        api.require(path).body(),
        replicaSet -> {},
        pod -> {
          if (isAlive(pod)) {
            each.accept(pod);
          }
        });
  }

  /**
   * Reads all of them, and before these the ReplicaSets.
   *
   * @throws ApiFailure where they cannot be listed to the end
   */
  public void all(JsonNode deployment, Consumer<JsonNode> eachReplicaSet, Consumer<JsonNode> each) {
    var replicaSets = new HashSet<String>();
    list(
        "/apis/apps/v1",
        "replicasets",
        deployment,
        Set.of(uid(deployment)),
        replicaSet -> {
          replicaSets.add(uid(replicaSet));
          eachReplicaSet.accept(replicaSet);
        });
    list("/api/v1", "pods", deployment, replicaSets, each);
  }

  private void list(
      String group,
      String plural,
      JsonNode deployment,
      Set<String> owners,
      Consumer<JsonNode> each) {
    new ListPages(api)
        .read(
            "%s/namespaces/%s/%s?labelSelector=%s"
                .formatted(group, namespace, plural, selector(deployment)),
            found -> {
              if (isOwned(found, owners)) {
                each.accept(found);
              }
            });
  }

  private static String selector(JsonNode deployment) {
    return deployment.path("spec").path("selector").path("matchLabels").properties().stream()
        .map(label -> URLEncoder.encode(label.getKey() + "=" + label.getValue().asText(), UTF_8))
        .collect(Collectors.joining(","));
  }

  private static boolean isOwned(JsonNode object, Set<String> owners) {
    for (var owner : object.path("metadata").path("ownerReferences")) {
      if (owners.contains(owner.path("uid").asText())) {
        return true;
      }
    }
    return false;
  }

  private static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asText();
  }

  private static boolean isAlive(JsonNode pod) {
    return !pod.path("metadata").has("deletionTimestamp")
        && !ENDED.contains(pod.path("status").path("phase").asText());
  }

  /** How logs name the Deployment. */
  @Override
  public String toString() {
    return "deployment " + namespace + "/" + name;
  }
}
