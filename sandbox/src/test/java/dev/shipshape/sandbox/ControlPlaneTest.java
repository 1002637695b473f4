package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ControlPlaneTest {

  @Test
  void aWriteIsAuditedWithItsRequestAndAReadWithout(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var namespace = names.namespace("mine");

    try (var admin = Requests.asAdmin(cluster)) {
      assertThat(admin.get("/api/v1/namespaces/" + namespace).statusCode()).isEqualTo(200);
    }
    assertThat(Files.readAllLines(cluster.auditLog()))
        .filteredOn(line -> line.contains(namespace))
        .anyMatch(
            line ->
                line.contains("\"verb\":\"create\"")
                    && line.contains("\"level\":\"RequestResponse\"")
                    && line.contains("\"requestObject\":{\"kind\":\"Namespace\""))
        .anyMatch(
            line ->
                line.contains("\"verb\":\"get\"")
                    && line.contains("\"level\":\"Metadata\"")
                    && !line.contains("responseObject"));
  }

  @Test
  void aUserHasOnlyWhatRbacGives(ControlPlane cluster, UniqueNames names) throws Exception {
    var namespace = names.namespace("mine");
    var configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
    var user = "system:serviceaccount:" + namespace + ":reader";
    try (var admin = Requests.asAdmin(cluster);
        var reader = Requests.as(user, cluster)) {
      var refused = reader.get(configMaps);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("User \\\"" + user + "\\\" cannot list resource");

      admin.create(
          "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/rolebindings",
          """
          apiVersion: rbac.authorization.k8s.io/v1
          kind: RoleBinding
          metadata: {name: reader}
          roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
          subjects: [{kind: ServiceAccount, name: reader, namespace: %s}]
          """
              .formatted(namespace));
      Eventually.holds("it may read", () -> reader.get(configMaps).statusCode() == 200);
    }
  }

  @Test
  void whatAnOwnerLeavesBehindIsCollected(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var configMaps = "/api/v1/namespaces/" + names.namespace("mine") + "/configmaps";
    try (var admin = Requests.asAdmin(cluster)) {
      admin.create(
          configMaps,
          """
          apiVersion: v1
          kind: ConfigMap
          metadata:
            name: orphan
            ownerReferences:
            - {apiVersion: v1, kind: ConfigMap, name: gone, uid: 3f0f3c1e-0d3a-4c55-9d6b-1c1b3a6f7a11}
          """);
      Eventually.holds("it is gone", () -> admin.get(configMaps + "/orphan").statusCode() == 404);
    }
  }
}
