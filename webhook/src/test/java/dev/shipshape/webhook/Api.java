package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.sandbox.ControlPlane;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.Stream;

/** A real API server, spoken to over plain HTTP, as an administrator or as somebody else. */
final class Api implements AutoCloseable {
  static final String KNOWN_INVALID = "/apis/shipshape.dev/v1alpha1/knowninvalidconfigurations";
  static final String NODE_CONFIGS = "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs";

  static final String REVISIONS =
      "/apis/network.t-caas.telekom.com/v1alpha1/networkconfigrevisions";

  private final ControlPlane cluster;
  private final HttpClient http;

  private Api(ControlPlane cluster, HttpClient http) {
    this.cluster = cluster;
    this.http = http;
  }

  static Api asAdministrator(ControlPlane cluster) {
    return new Api(cluster, cluster.adminHttpClient());
  }

  static Api as(ControlPlane cluster, String user) {
    return new Api(cluster, cluster.httpClientFor(user, List.of()));
  }

  /** What the API server answered. */
  record Reply(int status, JsonNode body, List<String> warnings) {
    String message() {
      return body.path("message").asText();
    }

    Reply expect(int expected) {
      assertThat(status).as(body.toString()).isEqualTo(expected);
      return this;
    }

    String resourceVersion() {
      return body.at("/metadata/resourceVersion").asText();
    }

    String uid() {
      return body.at("/metadata/uid").asText();
    }

    String annotation(String key) {
      return body.path("metadata").path("annotations").path(key).asText();
    }

    ObjectNode object() {
      return body.deepCopy();
    }
  }

  Reply get(String path) throws Exception {
    return send("GET", path, "", "application/json");
  }

  Reply post(String path, Object body) throws Exception {
    return send("POST", path, body.toString(), "application/json");
  }

  Reply put(String path, Object body) throws Exception {
    return send("PUT", path, body.toString(), "application/json");
  }

  Reply merge(String path, Object body) throws Exception {
    return send("PATCH", path, body.toString(), "application/merge-patch+json");
  }

  /** As {@code kubectl apply --server-side}. */
  Reply apply(String path, Object body) throws Exception {
    return send(
        "PATCH",
        path + "?fieldManager=test&force=true",
        body.toString(),
        "application/apply-patch+yaml");
  }

  Reply applyYaml(String path, String yaml) throws Exception {
    return apply(path, yaml);
  }

  Reply delete(String path) throws Exception {
    return send("DELETE", path, "", "application/json");
  }

  /** The Events in a namespace. */
  Stream<JsonNode> events(String namespace) throws Exception {
    var path = "/apis/events.k8s.io/v1/namespaces/%s/events?limit=1000".formatted(namespace);
    return get(path).expect(200).body().path("items").valueStream();
  }

  /** Gives somebody the rights of these rules, JSON, in the whole cluster. */
  void grant(String name, String user, String rules) throws Exception {
    var rbac = "/apis/rbac.authorization.k8s.io/v1/";
    apply(
        rbac + "clusterroles/" + name,
        json(
            """
            {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole',
             metadata: {name: '%s'}, rules: [%s]}
            """
                .formatted(name, rules)));
    apply(
        rbac + "clusterrolebindings/" + name,
        json(
            """
            {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding',
             metadata: {name: '%1$s'},
             roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '%1$s'},
             subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: '%2$s'}]}
            """
                .formatted(name, user)));
  }

  /** What a node's agent says of a NodeConfig. */
  void report(String node, String status) throws Exception {
    var body = json("{status: {configStatus: '%s'}}".formatted(status));
    merge(NODE_CONFIGS + "/" + node + "/status?fieldManager=agent", body).expect(200);
  }

  /** Gives a NodeConfig another configuration. */
  void rollOut(String node, int vni) throws Exception {
    var change = Json.object("{}");
    change.set("spec", NodeConfigs.config(node, vni).get("spec"));
    merge(NODE_CONFIGS + "/" + node + "?fieldManager=editor", change).expect(200);
  }

  /** Creates a Node, which owns records; the garbage collector takes records whose owner is not. */
  String node(String name) throws Exception {
    return post(
            "/api/v1/nodes",
            json("{kind: 'Node', apiVersion: 'v1', metadata: {name: '%s'}}".formatted(name)))
        .expect(201)
        .uid();
  }

  private Reply send(String method, String path, String body, String type) throws Exception {
    var request =
        HttpRequest.newBuilder(cluster.server().resolve(path))
            .header("Content-Type", type)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    return new Reply(
        answer.statusCode(),
        json(answer.body().startsWith("{") ? answer.body() : "{}"),
        answer.headers().allValues("Warning"));
  }

  /** The events of a watch that gets nothing but metadata; the caller closes it. */
  Stream<JsonNode> watchMetadata(String path, String resourceVersion) throws Exception {
    var query = "?watch=true&resourceVersion=" + resourceVersion;
    var request =
        HttpRequest.newBuilder(cluster.server().resolve(path + query))
            .header("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
            .build();
    var answer = http.send(request, BodyHandlers.ofLines());
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body().map(Json::json);
  }

  @Override
  public void close() {
    http.close();
  }
}
