package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.webhook.arming.Arming;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A release's objects as they are in the cluster now. */
final class Installed {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final String MUTATING =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/%s/deployments";
  private static final String HOOK = "hook";
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

  /** What the chart's hooks are made of in the namespace; a Job takes its pods with it. */
  private static final List<String> HOOK_KINDS =
      List.of(
          "/apis/batch/v1/namespaces/%s/jobs",
          "/api/v1/namespaces/%s/pods", "/api/v1/namespaces/%s/serviceaccounts");

  private final KubernetesApi api;
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
  record Deployed(
      String name, String component, int wanted, int ready, String rollout, boolean rolledOut) {
    private static Deployed of(JsonNode deployment) {
      var wanted = deployment.at("/spec/replicas").asInt(1);
      var status = deployment.path("status");
      var ready = status.path("availableReplicas").asInt();
      var rollout = rollout(deployment, wanted, ready);
      return new Deployed(
          deployment.at("/metadata/name").asText(),
          componentOf(deployment),
          wanted,
          ready,
          rollout,
          rollout.isEmpty() && ready == wanted);
    }

    /** What of its newest template is yet to come, in the Deployment's own figures. */
    private static String rollout(JsonNode deployment, int wanted, int ready) {
      var status = deployment.path("status");
      if (status.path("observedGeneration").asLong()
          < deployment.at("/metadata/generation").asLong()) {
        return ", about to roll out";
      }
      var replicas = status.path("replicas").asInt();
      var updated = status.path("updatedReplicas").asInt();
      if (updated < wanted || (replicas > wanted && replicas > ready)) {
        return ", rolling out: %d of %d updated, %d not ready"
            .formatted(updated, wanted, replicas - ready);
      }
      return replicas > wanted ? ", old pods end" : "";
    }

    /** Whether all that are wanted are ready; where none is wanted, nothing runs. */
    boolean isReady() {
      return wanted > 0 && ready == wanted;
    }

    @Override
    public String toString() {
      return "%s: %d of %d ready%s".formatted(name, ready, wanted, rollout);
    }
  }

  List<Deployed> deployments() {
    return list(DEPLOYMENTS.formatted(namespace)).stream().map(Deployed::of).toList();
  }

  /** The names of other releases of shipshape in the namespace. */
  List<String> others() {
    var deployments =
        DEPLOYMENTS.formatted(namespace) + selector("app.kubernetes.io/part-of=shipshape");
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
    return Stream.concat(
            HOOK_KINDS.stream()
                .map(kind -> kind.formatted(namespace))
                .flatMap(kind -> paths(kind, hooks(kind))),
            grants())
        .toList();
  }

  /**
   * What a hook may do in the whole cluster. Helm writes no namespace on it, and its labels are
   * those of any release of this name: only a binding says whose it is, so it goes last.
   */
  private Stream<String> grants() {
    var bindings = hooks(BINDINGS).stream().filter(this::isForOurs).toList();
    var bound = bindings.stream().map(binding -> binding.at("/roleRef/name").asText()).toList();
    var roles =
        hooks(ROLES).stream()
            .filter(role -> bound.contains(role.at("/metadata/name").asText()))
            .toList();
    return Stream.concat(paths(ROLES, roles), paths(BINDINGS, bindings));
  }

  private boolean isForOurs(JsonNode binding) {
    return StreamSupport.stream(binding.path("subjects").spliterator(), false)
        .anyMatch(subject -> subject.path("namespace").asText().equals(namespace));
  }

  private List<JsonNode> hooks(String kind) {
    return items(api.require(kind + hookSelector).body());
  }

  private static Stream<String> paths(String kind, List<JsonNode> objects) {
    return names(objects).stream().map(name -> kind + "/" + name);
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
    return ours(VALIDATING);
  }

  List<JsonNode> mutating() {
    return ours(MUTATING);
  }

  /** All by which the API server asks the webhook. */
  Stream<JsonNode> webhookConfigurations() {
    return Stream.concat(validating().stream(), mutating().stream());
  }

  /** Of each guard that the API server asks about, whether it is armed. */
  SortedMap<String, Boolean> guards() {
    var guards = new TreeMap<String, Boolean>();
    validating().forEach(each -> guards.putAll(WebhookConfiguration.of(each).guards()));
    return guards;
  }

  /** Which guards are not as the release wishes them, a line each; none while all are disarmed. */
  List<String> notAsWished() {
    var now = guards();
    return disarmed().isPresent()
        ? List.of()
        : WebhookConfiguration.wished(settings()).stream()
            .flatMap(wished -> wished.guards().entrySet().stream())
            .filter(each -> !each.getValue().equals(now.get(each.getKey())))
            .map(
                each -> notAsWished(each.getKey(), each.getValue(), now.containsKey(each.getKey())))
            .toList();
  }

  private String notAsWished(String guard, boolean armed, boolean isThere) {
    return armed
        ? ("guard %s is to be armed, but is not yet: that takes two ready replicas (on two nodes,"
                + " unless guard.oneNode=true); why: kubectl -n %s logs -c webhook --tail=-1 -l"
                + " app.kubernetes.io/instance=%s,app.kubernetes.io/component=webhook"
                + " | grep 'not armed'")
            .formatted(guard, namespace, release)
        : "guard %s is %s: a running replica of the webhook sees to that"
            .formatted(guard, isThere ? "not to be armed, but is" : "not registered yet");
  }

  /** That all guards are disarmed, and what ends it; empty where they are not. */
  Optional<String> disarmed() {
    return api.find(Disarming.path(namespace))
        .map(
            found ->
                "DISARMED by ConfigMap %1$s since %2$s; kubectl -n %3$s delete configmap %1$s arms it again"
                    .formatted(
                        Arming.DISARMED,
                        found.at("/metadata/creationTimestamp").asText(),
                        namespace));
  }

  /** The other namespaces in which there is a release of this name. */
  List<String> elsewhere() {
    return list(MUTATING).stream()
        .map(configuration -> WebhookConfiguration.of(configuration).namespace())
        .filter(other -> !other.equals(namespace))
        .toList();
  }

  /** The labels name the release alone, and one in another namespace may have the same name. */
  private List<JsonNode> ours(String configurations) {
    return list(configurations).stream()
        .filter(object -> WebhookConfiguration.of(object).namespace().equals(namespace))
        .toList();
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

  /** Why not all of it runs, a line each. */
  List<String> troubles(Instant now) {
    return Stream.concat(
            list(DEPLOYMENTS.formatted(namespace)).stream().map(Troubles::ofDeployment),
            pods().stream().map(pod -> Troubles.ofPod(pod, now)))
        .flatMap(List::stream)
        .toList();
  }

  static List<JsonNode> items(JsonNode list) {
    return StreamSupport.stream(list.path("items").spliterator(), false).toList();
  }

  private List<JsonNode> list(String path) {
    return items(api.require(path + selector).body());
  }
}
