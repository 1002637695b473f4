package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.arming.Arming;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Whether the user may do to a cluster what Helm would do as them, and this program after it. */
final class HelmPermissions {
  private static final String REGISTRATION = "admissionregistration.k8s.io";

  private final KubernetesClient client;
  private final String namespace;
  private final Map<String, List<APIResource>> served = new HashMap<>();

  /**
   * @param namespace of the release, where an object names none
   */
  HelmPermissions(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /**
   * How Helm applies a release.
   *
   * @param byServer by server-side apply, which makes objects by a patch too, and patches all
   * @param makesNamespace whether the release's namespace is yet to be made
   * @param storage the resource in which Helm keeps releases; empty where that is no resource
   */
  record ApplyMethod(boolean byServer, boolean makesNamespace, String storage) {}

  /** A permission as Kubernetes grants it; the namespace is empty if there is none. */
  private record Permission(String verb, String group, String resource, String namespace) {
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
  private record Need(Permission permission, String name) {}

  /**
   * What it takes to make {@code next} of {@code now} and the user may not do, in words such as
   * {@code patch deployments.apps in shipshape (shipshape)}; none where all is granted. What the
   * cluster does not serve is not asked for: Helm refuses it by its own name.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server gives no
   *     answer
   */
  List<String> missingFor(Manifest now, Manifest next, ApplyMethod method) {
    var missing = new LinkedHashMap<Permission, Set<String>>();
    Stream.of(own(method), objects(now, next, method.byServer()), afterwards())
        .flatMap(needs -> needs)
        .distinct()
        .filter(need -> !isGranted(need))
        .forEach(
            need ->
                missing
                    .computeIfAbsent(need.permission(), _ -> new LinkedHashSet<>())
                    .add(need.name()));
    return missing.entrySet().stream()
        .map(entry -> words(entry.getKey(), String.join(", ", entry.getValue())))
        .toList();
  }

  private static String words(Permission permission, String names) {
    return names.isEmpty() ? permission.toString() : "%s (%s)".formatted(permission, names);
  }

  /** What Helm writes of its own accord. */
  private Stream<Need> own(ApplyMethod method) {
    var made = new ArrayList<Need>();
    if (method.makesNamespace()) {
      made.add(need("create", "", "namespaces", ""));
      if (method.byServer()) {
        made.add(new Need(new Permission("patch", "", "namespaces", ""), namespace));
      }
    }
    if (!method.storage().isEmpty()) {
      made.add(need("create", "", method.storage(), namespace));
      made.add(need("update", "", method.storage(), namespace));
    }
    return made.stream();
  }

  /** What this program reads until all is ready, and whoever binds a policy to its parameter. */
  private Stream<Need> afterwards() {
    return Stream.of(
        need("list", "apps", "deployments", namespace),
        need("list", "", "pods", namespace),
        need("list", "", "configmaps", namespace),
        new Need(new Permission("get", "", "configmaps", namespace), Arming.DISARMED),
        need("get", REGISTRATION, "validatingwebhookconfigurations", ""),
        need("list", REGISTRATION, "validatingwebhookconfigurations", ""),
        need("list", REGISTRATION, "mutatingwebhookconfigurations", ""));
  }

  private static Need need(String verb, String group, String resource, String namespace) {
    return new Need(new Permission(verb, group, resource, namespace), "");
  }

  private Stream<Need> objects(Manifest now, Manifest next, boolean byServer) {
    var changed =
        now.changesTo(next).stream()
            .flatMap(
                change ->
                    switch (change.kind()) {
                      case CREATED -> needed(change.manifest(), "create");
                      case CHANGED -> needed(change.manifest(), "patch");
                      case REMOVED ->
                          Manifest.isKept(change.manifest())
                              ? Stream.empty()
                              : needed(change.manifest(), "delete");
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
                    new Permission(
                        verb,
                        group,
                        resource.getName(),
                        Boolean.TRUE.equals(resource.getNamespaced()) ? namespaceOf(object) : ""),
                    name));
  }

  private String namespaceOf(JsonNode object) {
    var own = object.at("/metadata/namespace").asText("");
    return own.isEmpty() ? namespace : own;
  }

  /** The resource that a kind is written to, as discovery describes it. */
  private Stream<APIResource> resource(String version, String kind) {
    return served.computeIfAbsent(version, this::served).stream()
        .filter(resource -> kind.equals(resource.getKind()) && !resource.getName().contains("/"))
        .limit(1);
  }

  private List<APIResource> served(String version) {
    var list = client.getApiResources(version);
    return list == null ? List.of() : list.getResources();
  }

  private boolean isGranted(Need need) {
    var permission = need.permission();
    var review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb(permission.verb())
            .withGroup(permission.group())
            .withResource(permission.resource())
            .withNamespace(permission.namespace())
            .withName(need.name())
            .endResourceAttributes()
            .endSpec()
            .build();
    return client
        .authorization()
        .v1()
        .selfSubjectAccessReview()
        .create(review)
        .getStatus()
        .getAllowed();
  }
}
