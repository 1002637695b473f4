package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** A release's objects as they are in the cluster now. */
final class Installed {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private final KubernetesApi api;
  private static final String HOOK = "hook";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  /** What the chart's hooks are made of; a Job takes its pods with it. */
  private static final List<String> HOOK_KINDS =
      List.of(
          "/apis/batch/v1/namespaces/%s/jobs",
          "/api/v1/namespaces/%s/pods",
          "/api/v1/namespaces/%s/serviceaccounts",
          RBAC + "clusterrolebindings",
          RBAC + "clusterroles");

  private final String namespace;
  private final String release;
  private final String selector;
  private final String hookSelector;

  Installed(KubernetesApi api, Release release) {
    this.api = api;
    this.namespace = release.namespace();
    this.release = release.name();
    this.selector =
        selector(
            "app.kubernetes.io/instance=%s,app.kubernetes.io/part-of=shipshape"
                .formatted(release.name()));
    this.hookSelector =
        selector(
            "app.kubernetes.io/instance=%s,app.kubernetes.io/part-of=shipshape,app.kubernetes.io/component=%s"
                .formatted(release.name(), HOOK));
  }

  private static String selector(String labels) {
    return "?labelSelector=" + URLEncoder.encode(labels, StandardCharsets.UTF_8);
  }

  /** One of its Deployments, as far as a person wants to know. */
  record Deployed(String name, String component, int wanted, int ready, boolean rolledOut) {
    private static Deployed of(JsonNode deployment) {
      var wanted = deployment.at("/spec/replicas").asInt(1);
      var status = deployment.path("status");
      var ready = status.path("availableReplicas").asInt();
      return new Deployed(
          deployment.at("/metadata/name").asText(),
          componentOf(deployment),
          wanted,
          ready,
          status.path("observedGeneration").asLong()
                  >= deployment.at("/metadata/generation").asLong()
              && status.path("updatedReplicas").asInt() == wanted
              && status.path("replicas").asInt() == wanted
              && ready == wanted);
    }

    @Override
    public String toString() {
      return "%s: %d of %d ready%s"
          .formatted(name, ready, wanted, ready == wanted && !rolledOut ? ", old pods end" : "");
    }
  }

  List<Deployed> deployments() {
    return list("/apis/apps/v1/namespaces/%s/deployments".formatted(namespace)).stream()
        .map(Deployed::of)
        .toList();
  }

  /** The names of other releases of shipshape in the namespace. */
  List<String> others() {
    var deployments =
        "/apis/apps/v1/namespaces/%s/deployments%s"
            .formatted(namespace, selector("app.kubernetes.io/part-of=shipshape"));
    return items(api.require(deployments).body()).stream()
        .map(each -> each.at("/metadata/labels").path("app.kubernetes.io/instance").asText())
        .filter(instance -> !instance.equals(release))
        .distinct()
        .toList();
  }

  /** The servers' pods in their own words, oldest first. */
  List<JsonNode> pods() {
    return list("/api/v1/namespaces/%s/pods".formatted(namespace)).stream()
        .filter(pod -> !componentOf(pod).equals(HOOK))
        .toList();
  }

  /** The paths of what Helm made for a test or a removal, and leaves behind where that failed. */
  List<String> hooks() {
    var hooks = new ArrayList<String>();
    for (var kind : HOOK_KINDS) {
      var path = kind.formatted(namespace);
      items(api.require(path + hookSelector).body()).stream()
          .map(hook -> path + "/" + hook.at("/metadata/name").asText())
          .forEach(hooks::add);
    }
    return hooks;
  }

  private static String componentOf(JsonNode object) {
    return object.at("/metadata/labels").path("app.kubernetes.io/component").asText();
  }

  static List<String> names(List<JsonNode> objects) {
    return objects.stream().map(object -> object.at("/metadata/name").asText()).toList();
  }

  List<JsonNode> settings() {
    return list("/api/v1/namespaces/%s/configmaps".formatted(namespace));
  }

  List<JsonNode> validating() {
    return list(REGISTRATION + "validatingwebhookconfigurations");
  }

  List<JsonNode> mutating() {
    return list(REGISTRATION + "mutatingwebhookconfigurations");
  }

  /** The metrics that a pod exports on a port; empty where it cannot be asked. */
  Optional<Exposition> metrics(String pod, int port) {
    return Exposition.read(
        api, "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics".formatted(namespace, pod, port));
  }

  Optional<String> leader(String lease) {
    return api.find(
            "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, lease))
        .map(found -> found.at("/spec/holderIdentity").asText(""))
        .filter(holder -> !holder.isEmpty());
  }

  /** Why a pod is not running, in the kubelet's words; empty where it is. */
  static List<String> troubles(JsonNode pod) {
    return StreamSupport.stream(pod.at("/status/containerStatuses").spliterator(), false)
        .map(
            container ->
                Optional.of(container.at("/state/waiting"))
                    .filter(waiting -> waiting.has("reason"))
                    .map(
                        waiting ->
                            "%s/%s: %s %s"
                                .formatted(
                                    pod.at("/metadata/name").asText(),
                                    container.path("name").asText(),
                                    waiting.path("reason").asText(),
                                    waiting.path("message").asText(""))))
        .flatMap(Optional::stream)
        .toList();
  }

  static List<JsonNode> items(JsonNode list) {
    return StreamSupport.stream(list.path("items").spliterator(), false).toList();
  }

  private List<JsonNode> list(String path) {
    return items(api.require(path + selector).body());
  }
}
