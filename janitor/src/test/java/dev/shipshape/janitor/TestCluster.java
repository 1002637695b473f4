package dev.shipshape.janitor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.service.RetryAfter;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A namespace of a real control plane, and what tests do on it. */
public final class TestCluster implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ControlPlane controlPlane;
  private final String namespace;
  private final KubernetesClient client;
  private Interceptor logs = new Interceptor() {};

  /** Where the audit log ended when this was made: what came before is of other tests. */
  private final long auditBegin;

  /** With the CFS sessions' definition in place. */
  public TestCluster(ControlPlane controlPlane, String namespace) {
    this.controlPlane = controlPlane;
    this.namespace = namespace;
    this.auditBegin = controlPlane.auditLog().toFile().length();
    this.client = clientNamed("test");
    client.load(new ByteArrayInputStream(Definitions.sessions().getBytes(UTF_8))).serverSideApply();
    eventually("the sessions are served", () -> find(sessions()).isPresent());
  }

  public String namespace() {
    return namespace;
  }

  /**
   * Makes the Deployment {@code cray-cfs-operator}, which runs nothing, with a ReplicaSet.
   *
   * @return what says in a pod's metadata that it is that ReplicaSet's; its labels must be {@code
   *     app: operator}
   */
  public String operatorWithoutPods() {
    var template =
        """
        "selector": {"matchLabels": {"app": "operator"}}, "replicas": 0,
        "template": {"metadata": {"labels": {"app": "operator"}},
          "spec": {"containers": [{"name": "c", "image": "example.com/operator"}]}}
        """;
    create(
        path("deployments").replace("/api/v1", "/apis/apps/v1"),
        """
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "cray-cfs-operator"},
         "spec": {"paused": true, %s}}
        """
            .formatted(template));
    var replicaSets = path("replicasets").replace("/api/v1", "/apis/apps/v1");
    create(
        replicaSets,
        """
        {"apiVersion": "apps/v1", "kind": "ReplicaSet",
         "metadata": {"name": "operator", "labels": {"app": "operator"},
           "finalizers": ["example.com/stay"], %s}, "spec": {%s}}
        """
            .formatted(
                owned("apps/v1", "Deployment", "cray-cfs-operator", uid(deployment())), template));
    // While it is being deleted, Kubernetes leaves its pods alone.
    client.raw(replicaSets + "/operator", "DELETE", "{\"propagationPolicy\": \"Background\"}");
    return owned("apps/v1", "ReplicaSet", "operator", uid(replicaSets + "/operator"));
  }

  private String uid(String path) {
    return get(path).at("/metadata/uid").asText();
  }

  private static String owned(String apiVersion, String kind, String name, String uid) {
    return """
    "ownerReferences": [{"apiVersion": "%s", "kind": "%s", "name": "%s", "uid": "%s", "controller": true}]\
    """
        .formatted(apiVersion, kind, name, uid);
  }

  public KubernetesClient client() {
    return client;
  }

  /** Has those that are made from now on ask elsewhere for logs. */
  void logsFrom(Interceptor redirect) {
    logs = redirect;
  }

  /** A client with the user agent, by which the audit log tells its requests. */
  public KubernetesClient clientNamed(String userAgent) {
    return clientThrough(new Interceptor() {}, userAgent);
  }

  /** As {@link #clientNamed}, with something between it and the API server. */
  public KubernetesClient clientThrough(Interceptor interceptor, String userAgent) {
    return new KubernetesClientBuilder()
        .withConfig(config(userAgent))
        .withHttpClientBuilderConsumer(
            http -> {
              http.addOrReplaceInterceptor("test", interceptor);
              http.addOrReplaceInterceptor("logs", logs);
            })
        .build();
  }

  /** A client that shows nobody who it is. */
  public static KubernetesClient clientAt(URI address) {
    return clientAt(address, Duration.ofSeconds(5), new Interceptor() {});
  }

  /**
   * @param longest how long it waits at most where it is asked to
   * @param logs where it asks for logs
   */
  static KubernetesClient clientAt(URI address, Duration longest, Interceptor logs) {
    var config =
        new ConfigBuilder()
            .withAutoConfigure(false)
            .withHttp2Disable(true)
            .withMasterUrl(address.toString())
            .withRequestRetryBackoffLimit(2)
            .build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(
            http -> {
              http.addOrReplaceInterceptor(RetryAfter.NAME, new RetryAfter(longest));
              http.addOrReplaceInterceptor("logs", logs);
            })
        .build();
  }

  private Config config(String userAgent) {
    return new ConfigBuilder(Config.fromKubeconfig(controlPlane.adminKubeconfig()))
        .withClientKeyAlgo("EC")
        .withHttp2Disable(true)
        .withNamespace(namespace)
        .withUserAgent(userAgent)
        .withMaxConcurrentRequestsPerHost(64)
        .withRequestRetryBackoffInterval(5)
        .build();
  }

  /** The path of the sessions. */
  public String sessions() {
    return "/apis/cms.cray.com/v1/namespaces/" + namespace + "/cfsessions";
  }

  /**
   * Creates a session.
   *
   * @param completed null where it has not
   * @return as it was stored
   */
  public JsonNode createSession(String name, String state, @Nullable String completed) {
    return createSession(name, state, completed, _ -> {});
  }

  /** As {@link #createSession(String, String, String)}, with a last touch before it is created. */
  public JsonNode createSession(
      String name, String state, @Nullable String completed, Consumer<ObjectNode> touch) {
    var resource = MAPPER.createObjectNode();
    resource.put("apiVersion", "cms.cray.com/v1").put("kind", "ConfigFrameworkSession");
    resource.putObject("metadata").put("name", name);
    var spec = resource.putObject("spec");
    spec.putObject("repo").put("cloneUrl", "https://example.com/repo.git");
    var session = spec.putObject("status").putObject("session").put("status", state);
    if (completed != null) {
      session.put("completionTime", completed).put("succeeded", "true");
    }
    touch.accept(resource);
    return create(sessions(), resource);
  }

  public JsonNode create(String path, JsonNode object) {
    return json(client.raw(path, "POST", object));
  }

  /** Creates an object written as JSON. */
  public JsonNode create(String path, String json) {
    return create(path, json(json));
  }

  public JsonNode patch(String path, String json) {
    var answer = sendPatch(path, json);
    assertThat(answer.code()).as("PATCH %s: %s", path, answer.body()).isEqualTo(200);
    return json(answer.body());
  }

  HttpResponse<String> sendPatch(String path, String json) {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path.substring(1))
            .method("PATCH", "application/merge-patch+json", json)
            .build();
    return http.sendAsync(request, String.class).join();
  }

  /** Deletes an object for good, and waits for that. */
  public void delete(String path, String uid) {
    client.raw(path, "DELETE", "{\"propagationPolicy\": \"Background\"}");
    eventually(
        path + " is gone",
        () ->
            find(path).filter(object -> object.at("/metadata/uid").asText().equals(uid)).isEmpty());
  }

  public JsonNode get(String path) {
    return find(path).orElseThrow(() -> new AssertionError(path + " is not there"));
  }

  /** An object or a list; empty where there is none. */
  public Optional<JsonNode> find(String path) {
    return Optional.ofNullable(client.raw(path)).map(TestCluster::json);
  }

  /** The names of what is there. */
  public List<String> names(String path) {
    return get(path)
        .path("items")
        .valueStream()
        .map(item -> item.at("/metadata/name").asText())
        .toList();
  }

  public static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The path of something of the core API in the namespace. */
  public String path(String resource) {
    return "/api/v1/namespaces/" + namespace + "/" + resource;
  }

  /** The path of the operator's Deployment. */
  public String deployment() {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments/cray-cfs-operator";
  }

  /** Creates the operator's Deployment, whose one pod is said to run. */
  public void createOperator() {
    create(
        "/apis/apps/v1/namespaces/" + namespace + "/deployments",
        """
        {"apiVersion": "apps/v1", "kind": "Deployment",
         "metadata": {"name": "cray-cfs-operator"},
         "spec": {"replicas": 1,
          "selector": {"matchLabels": {"app.kubernetes.io/name": "cray-cfs-operator"}},
          "template": {
           "metadata": {"labels": {"app.kubernetes.io/name": "cray-cfs-operator"}},
           "spec": {"containers": [
            {"name": "cray-cfs-operator", "image": "example.com/cfs-operator"},
            {"name": "istio-proxy", "image": "example.com/proxy"}]}}}}
        """);
    finishRollout();
  }

  /** Takes a restart back whole, as who applies the Deployment from elsewhere does. */
  void revertRestart() {
    patch(
        deployment(),
        """
        {"metadata": {"annotations": {"shipshape.dev/restarts": null,
          "shipshape.dev/restart-reason": null}},
         "spec": {"template": {"metadata": {"annotations":
          {"kubectl.kubernetes.io/restartedAt": null}}}}}
        """);
    finishRollout();
  }

  /** Does what a kubelet would: says of each pod that it runs, until the rollout is complete. */
  public void finishRollout() {
    eventually(
        "the rollout is complete",
        () -> {
          runPods();
          var deployment = get(deployment());
          var generation = deployment.at("/metadata/generation").asLong();
          return deployment.at("/status/observedGeneration").asLong() == generation
              && deployment.at("/status/updatedReplicas").asInt() == 1
              && deployment.at("/status/availableReplicas").asInt() == 1
              && deployment.at("/status/replicas").asInt() == 1;
        });
  }

  /** Does what a kubelet would: says of each new pod that it runs. */
  void runPods() {
    for (var pod : get(path("pods")).path("items")) {
      if (pod.at("/status/containerStatuses").isEmpty()) {
        // It may be gone by now.
        sendPatch(
            path("pods/" + pod.at("/metadata/name").asText()) + "/status",
            """
            {"status": {"phase": "Running",
             "conditions": [{"type": "Ready", "status": "True"}],
             "containerStatuses": [{"name": "%s", "image": "i", "imageID": "i", "ready": true,
              "restartCount": 0, "state": {"running": {}}}]}}
            """
                .formatted(pod.at("/spec/containers/0/name").asText()));
      }
    }
  }

  /** The finished requests of one user agent since this was made, in their order. */
  public List<JsonNode> audited(String userAgent, Predicate<JsonNode> matching) {
    try (var channel = FileChannel.open(controlPlane.auditLog());
        var lines =
            new BufferedReader(Channels.newReader(channel.position(auditBegin), UTF_8)).lines()) {
      return lines
          .filter(line -> line.contains("\"" + userAgent + "\""))
          .map(TestCluster::json)
          .filter(event -> event.path("userAgent").asText().equals(userAgent))
          .filter(event -> event.path("stage").asText().equals("ResponseComplete"))
          .filter(matching)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits, but not for ever. */
  public static void eventually(String what, BooleanSupplier condition) {
    Eventually.holds(what, condition::getAsBoolean);
  }

  @Override
  public void close() {
    client.close();
  }

  /** The Events that janitors have written in the namespace. */
  public List<JsonNode> events() {
    return get("/apis/events.k8s.io/v1/namespaces/" + namespace() + "/events")
        .path("items")
        .valueStream()
        .filter(event -> event.path("reportingController").asText().equals("shipshape.dev/janitor"))
        .toList();
  }
}
