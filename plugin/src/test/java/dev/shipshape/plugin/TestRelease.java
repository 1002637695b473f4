package dev.shipshape.plugin;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The objects of a release, as Helm, the webhook and commands make them. Its webhook configurations
 * are named as its namespace is, so that each is of one test.
 *
 * @param name the release's, which those of other namespaces may have too
 */
public record TestRelease(ControlPlane cluster, String name, String namespace) {
  public static final String NODECONFIG = "guards: [{preset: nodeconfig}]";

  public TestRelease(ControlPlane cluster, String namespace) {
    this(cluster, namespace, namespace);
  }

  /** As JSON. */
  public String labels() {
    return Serialization.asJson(labelMap());
  }

  /** With one that a tool has replaced by its own. */
  private Map<String, String> labelMap() {
    return new TreeMap<>(
        Map.of(
            "shipshape.dev/release", name,
            "app.kubernetes.io/part-of", "platform",
            "app.kubernetes.io/component", "webhook"));
  }

  /** A Deployment that is paused: it has no pods that could be in trouble. */
  public void deploy() {
    deploy(2, true);
  }

  public void deploy(int replicas, boolean paused) {
    create(
        """
        {"apiVersion": "apps/v1", "kind": "Deployment",
         "metadata": {"name": "shipshape", "labels": %s},
         "spec": {"replicas": %d, "paused": %s, "selector": {"matchLabels": {"app": "x"}},
                  "template": {"metadata": {"labels": {"app": "x"}},
                    "spec": {"automountServiceAccountToken": false,
                      "containers": [{"name": "webhook", "image": "none"}]}}}}
        """
            .formatted(labels(), replicas, paused));
  }

  /** The text of each file, without its apiVersion. */
  public void settings(Map<String, String> files) {
    var data = new TreeMap<>(files);
    data.replaceAll((file, text) -> "apiVersion: shipshape.dev/v1\n" + text);
    configMap("settings", data);
  }

  /** What the webhook is to register: one guard for each failurePolicy. */
  public void wish(String... policies) {
    configMap("guard", Map.of("validating.yaml", registration("Validating", policies)));
  }

  public void disarm() {
    create(
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shipshape-disarmed"}}
        """);
  }

  public void configMap(String name, Map<String, String> data) {
    create(
        Serialization.asJson(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labelMap())
                .endMetadata()
                .withData(data)
                .build()));
  }

  /** Both configurations, with a guard that only warns. */
  public void register() {
    register("Validating", "Ignore");
    register("Mutating", "Ignore");
  }

  /** One guard for each failurePolicy. */
  public void register(String kind, String... policies) {
    create(registration(kind, policies));
  }

  /** As the webhook registers it: with an entry of its own, which is no guard. */
  public String registration(String kind, String... policies) {
    var entries =
        IntStream.rangeClosed(0, policies.length)
            .mapToObj(
                number ->
                    """
                    {"name": "%s.shipshape.dev", "sideEffects": "None", "rules": [],
                     "admissionReviewVersions": ["v1"], "failurePolicy": "%s",
                     "clientConfig": {"caBundle": "QQ==",
                       "service": {"name": "shipshape", "namespace": "%s"}}}
                    """
                        .formatted(
                            number < policies.length ? "g%d.validate".formatted(number) : "proof",
                            number < policies.length ? policies[number] : "Ignore",
                            namespace))
            .collect(Collectors.joining(", "));
    return """
    {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "%sWebhookConfiguration",
     "metadata": {"name": "%s", "labels": %s}, "webhooks": [%s]}
    """
        .formatted(kind, namespace, labels(), entries);
  }

  public boolean isRegistered(String kind) {
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      return client.raw(path(kind)) != null;
    }
  }

  /** Where its configuration is. */
  public String path(String kind) {
    return "/apis/admissionregistration.k8s.io/v1/%swebhookconfigurations/%s"
        .formatted(kind.toLowerCase(Locale.ROOT), namespace);
  }

  /** Creates an object: a webhook configuration, or what is in the namespace. */
  public void create(String json) {
    var object = Serialization.unmarshal(json, GenericKubernetesResource.class);
    var version = object.getApiVersion();
    var path =
        "/%s/%s%s/%ss"
            .formatted(
                version.contains("/") ? "apis" : "api",
                version,
                object.getKind().endsWith("Configuration") ? "" : "/namespaces/" + namespace,
                object.getKind().toLowerCase(Locale.ROOT));
    try (var client = ApiConnection.open(cluster.kubeconfig(), null)) {
      client.raw(path, "POST", json);
    }
  }
}
