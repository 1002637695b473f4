package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.release.Manifest.Change;
import dev.shipshape.webhook.arming.Arming;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Whether the user may do to a cluster what Helm would do as them, and this program after it. */
final class Rights {
  private static final String REGISTRATION = "admissionregistration.k8s.io";

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

  /**
   * How Helm goes about it.
   *
   * @param byServer by server-side apply, which makes objects by a patch too, and patches all
   * @param makesNamespace whether the release's namespace is yet to be made
   * @param storage the resource in which Helm keeps releases; empty where that is no resource
   */
  record Manner(boolean byServer, boolean makesNamespace, String storage) {}

  /** A kind of right as Kubernetes grants it; the namespace is empty where there is none. */
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
   * What is needed.
   *
   * @param name of the one object that it is needed for; empty where nothing is named
   */
  private record Need(Right right, String name) {}

  /**
   * What it takes to make {@code next} of {@code now} and the user may not do, in words such as
   * {@code patch deployments.apps in shipshape (shipshape)}; none where all is granted. What the
   * cluster does not serve is not asked for: Helm refuses it by its own name.
   *
   * @throws dev.shipshape.janitor.kubernetes.ApiFailure where the API server gives no answer
   */
  List<String> missingFor(Manifest now, Manifest next, Manner manner) {
    var missing = new LinkedHashMap<Right, Set<String>>();
    Stream.of(own(manner), objects(now, next, manner.byServer()), afterwards())
        .flatMap(needs -> needs)
        .distinct()
        .filter(need -> !isGranted(need))
        .forEach(
            need ->
                missing.computeIfAbsent(need.right(), _ -> new LinkedHashSet<>()).add(need.name()));
    return missing.entrySet().stream()
        .map(entry -> words(entry.getKey(), String.join(", ", entry.getValue())))
        .toList();
  }

  private static String words(Right right, String names) {
    return names.isEmpty() ? right.toString() : "%s (%s)".formatted(right, names);
  }

  /** What Helm writes of its own accord. */
  private Stream<Need> own(Manner manner) {
    var made = new ArrayList<Need>();
    if (manner.makesNamespace()) {
      made.add(need("create", "", "namespaces", ""));
      if (manner.byServer()) {
        made.add(new Need(new Right("patch", "", "namespaces", ""), namespace));
      }
    }
    if (!manner.storage().isEmpty()) {
      made.add(need("create", "", manner.storage(), namespace));
      made.add(need("update", "", manner.storage(), namespace));
    }
    return made.stream();
  }

  /** What this program reads until all is ready. */
  private Stream<Need> afterwards() {
    return Stream.of(
        need("list", "apps", "deployments", namespace),
        need("list", "", "pods", namespace),
        need("list", "", "configmaps", namespace),
        new Need(new Right("get", "", "configmaps", namespace), Arming.DISARMED),
        need("list", REGISTRATION, "validatingwebhookconfigurations", ""),
        need("list", REGISTRATION, "mutatingwebhookconfigurations", ""));
  }

  private static Need need(String verb, String group, String resource, String namespace) {
    return new Need(new Right(verb, group, resource, namespace), "");
  }

  private Stream<Need> objects(Manifest now, Manifest next, boolean byServer) {
    var changed =
        now.changesTo(next).stream()
            .flatMap(
                change ->
                    switch (change) {
                      case Change.Created(_, var object) -> needed(object, "create");
                      case Change.Changed(_, var object, _) -> needed(object, "patch");
                      case Change.Removed(_, var object) ->
                          Manifest.isKept(object) ? Stream.empty() : needed(object, "delete");
                    });
    return byServer
        ? Stream.concat(
            changed, next.objects().values().stream().flatMap(object -> needed(object, "patch")))
        : changed;
  }

  private Stream<Need> needed(JsonNode object, String verb) {
    var version = object.path("apiVersion").asText();
    var group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    // What does not exist has no name yet that could be granted.
    var name = verb.equals("create") ? "" : object.at("/metadata/name").asText();
    return resource(version, object.path("kind").asText())
        .map(
            resource ->
                new Need(
                    new Right(
                        verb,
                        group,
                        resource.path("name").asText(),
                        resource.path("namespaced").asBoolean() ? namespaceOf(object) : ""),
                    name));
  }

  private String namespaceOf(JsonNode object) {
    var own = object.at("/metadata/namespace").asText("");
    return own.isEmpty() ? namespace : own;
  }

  /** The resource that a kind is written to, as discovery describes it. */
  private Stream<JsonNode> resource(String version, String kind) {
    var path = (version.contains("/") ? "/apis/" : "/api/") + version;
    var list =
        served.computeIfAbsent(
            path, _ -> api.find(path).orElseGet(JsonNodeFactory.instance::objectNode));
    return StreamSupport.stream(list.path("resources").spliterator(), false)
        .filter(resource -> resource.path("kind").asText().equals(kind))
        .filter(resource -> !resource.path("name").asText().contains("/"))
        .limit(1);
  }

  private boolean isGranted(Need need) {
    var review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    review
        .putObject("spec")
        .putObject("resourceAttributes")
        .put("verb", need.right().verb())
        .put("group", need.right().group())
        .put("resource", need.right().resource())
        .put("namespace", need.right().namespace())
        .put("name", need.name());
    var path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    return api.post(path, review)
        .requireSuccess("POST " + path)
        .body()
        .at("/status/allowed")
        .asBoolean();
  }
}
