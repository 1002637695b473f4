package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.release.Manifest.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Whether the user may do to a cluster what Helm would do as them. */
final class Rights {
  private final KubernetesApi api;
  private final String namespace;
  private final Map<String, JsonNode> served = new HashMap<>();

  /**
   * @param namespace of the release, where an object names none
   */
  Rights(KubernetesApi api, String namespace) {
    this.api = api;
    this.namespace = namespace;
  }

  /** A right as Kubernetes grants it; the namespace is empty where there is none. */
  private record Right(String verb, String group, String resource, String namespace) {
    @Override
    public String toString() {
      return "%s %s%s%s"
          .formatted(
              verb,
              resource,
              group.isEmpty() ? "" : "." + group,
              namespace.isEmpty() ? "" : " in " + namespace);
    }
  }

  /**
   * What these changes take that the user may not do, in words such as {@code create
   * deployments.apps in shipshape}; none where all is granted. What the cluster does not serve is
   * not asked for: Helm refuses it by its own name.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where the API server gives no answer
   */
  List<String> missingFor(List<Change> changes) {
    return changes.stream()
        .flatMap(change -> needed(change).stream())
        .distinct()
        .filter(right -> !isGranted(right))
        .map(Right::toString)
        .toList();
  }

  private Optional<Right> needed(Change change) {
    var verb =
        switch (change) {
          case Change.Created _ -> "create";
          case Change.Changed _ -> "patch";
          case Change.Removed _ -> "delete";
        };
    var object = change.manifest();
    var version = object.path("apiVersion").asText();
    var group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    return resource(version, object.path("kind").asText())
        .map(
            resource ->
                new Right(
                    verb,
                    group,
                    resource.path("name").asText(),
                    resource.path("namespaced").asBoolean() ? namespaceOf(object) : ""));
  }

  private String namespaceOf(JsonNode object) {
    var own = object.at("/metadata/namespace").asText("");
    return own.isEmpty() ? namespace : own;
  }

  /** The resource that a kind is written to, as discovery describes it. */
  private Optional<JsonNode> resource(String version, String kind) {
    var path = (version.contains("/") ? "/apis/" : "/api/") + version;
    var list =
        served.computeIfAbsent(
            path, _ -> api.find(path).orElseGet(JsonNodeFactory.instance::objectNode));
    return StreamSupport.stream(list.path("resources").spliterator(), false)
        .filter(resource -> resource.path("kind").asText().equals(kind))
        .filter(resource -> !resource.path("name").asText().contains("/"))
        .findFirst();
  }

  private boolean isGranted(Right right) {
    var review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("verb", right.verb())
        .put("group", right.group())
        .put("resource", right.resource())
        .put("namespace", right.namespace());
    var path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    return api.post(path, review)
        .requireSuccess("POST " + path)
        .body()
        .at("/status/allowed")
        .asBoolean();
  }
}
