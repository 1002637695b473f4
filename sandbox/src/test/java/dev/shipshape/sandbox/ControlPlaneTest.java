package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ControlPlaneTest {

  @Test
  void aNewNamespaceAndItsAuditEventAreThere(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var namespace = names.namespace("mine");

    try (var admin = cluster.adminHttpClient()) {
      assertThat(get(admin, cluster, "/api/v1/namespaces/" + namespace).statusCode())
          .isEqualTo(200);
    }
    assertThat(Files.readAllLines(cluster.auditLog()))
        .as("a write is audited with its request")
        .anyMatch(
            line ->
                line.contains("\"verb\":\"create\"")
                    && line.contains("\"level\":\"RequestResponse\"")
                    && line.contains("\"requestObject\":{\"kind\":\"Namespace\"")
                    && line.contains(namespace))
        .as("a read is audited without")
        .anyMatch(
            line ->
                line.contains("\"verb\":\"get\"")
                    && line.contains("\"level\":\"Metadata\"")
                    && line.contains("/api/v1/namespaces/" + namespace));
  }

  @Test
  void aUserHasOnlyWhatRbacGives(ControlPlane cluster, UniqueNames names) throws Exception {
    var namespace = names.namespace("mine");
    var configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
    var user = "system:serviceaccount:" + namespace + ":reader";
    try (var admin = cluster.adminHttpClient();
        var reader = cluster.httpClientFor(user, List.of())) {
      var refused = get(reader, cluster, configMaps);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("User \\\"" + user + "\\\" cannot list resource");

      var binding =
          """
          {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
           "metadata": {"name": "reader"},
           "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
           "subjects": [{"kind": "ServiceAccount", "name": "reader", "namespace": "%s"}]}
          """
              .formatted(namespace);
      var path = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/rolebindings";
      assertThat(post(admin, cluster, path, "application/json", binding).statusCode())
          .isEqualTo(201);
      Eventually.holds(() -> get(reader, cluster, configMaps).statusCode() == 200);
    }
  }

  private static HttpResponse<String> get(HttpClient client, ControlPlane cluster, String path)
      throws Exception {
    var request = HttpRequest.newBuilder(cluster.server().resolve(path)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(
      HttpClient client, ControlPlane cluster, String path, String type, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(cluster.server().resolve(path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
