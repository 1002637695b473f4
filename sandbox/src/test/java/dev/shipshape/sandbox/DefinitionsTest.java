package dev.shipshape.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.UniqueNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class DefinitionsTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  @Test
  void nodeConfigsGetTheirDefaultAndKeepTheirLimits(ControlPlane cluster, UniqueNames names)
      throws Exception {
    var collection = "/apis/network.schiff.telekom.de/v1alpha1/nodeconfigs";
    try (var admin = Requests.asAdmin(cluster)) {
      admin.create(DEFINITIONS, Definitions.nodeConfigs());
      Eventually.holds("it is served", () -> admin.get(collection).statusCode() == 200);

      var manifest =
          """
          apiVersion: network.schiff.telekom.de/v1alpha1
          kind: NodeConfig
          metadata: {name: %s}
          spec:
            layer2: [{id: 100, mtu: %d, vni: 10100}]
            vrf: [{vrf: m2m, import: [], export: [{action: permit}], seq: 10}]
            routingTable: []
          status: {configStatus: provisioned}
          """;
      var made = admin.create(collection, manifest.formatted(names.name("worker"), 1500));
      assertThat(made.body()).contains("\"mtu\":9000").doesNotContain("provisioned");

      var refused = admin.post(collection, manifest.formatted(names.name("worker"), 999));
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(refused.body()).contains("spec.layer2[0].mtu");
    }
  }

  @Test
  void sessionsKeepTheirStateInTheSpecAndFieldsThatNobodyDeclared(
      ControlPlane cluster, UniqueNames names) throws Exception {
    var collection =
        "/apis/cms.cray.com/v1/namespaces/" + names.namespace("services") + "/cfsessions";
    try (var admin = Requests.asAdmin(cluster)) {
      admin.create(DEFINITIONS, Definitions.sessions());
      Eventually.holds("it is served", () -> admin.get(collection).statusCode() == 200);

      var made =
          admin.create(
              collection,
              """
              apiVersion: cms.cray.com/v1
              kind: ConfigFrameworkSession
              metadata: {name: batcher-65f94609-0599-4d86-a8ad-9555d2a9ab9d}
              spec:
                repo: {cloneUrl: "https://vcs.example/configuration.git"}
                target: {definition: dynamic, groups: [{name: compute, members: [x3000c0s19b1n0]}]}
                status:
                  session: {status: complete, succeeded: "true"}
                  targets: {failed: 0, running: 0, success: 2}
              """);
      assertThat(made.body())
          .contains("\"members\":[\"x3000c0s19b1n0\"]")
          .contains("\"running\":0")
          .contains("\"status\":\"complete\"");
    }
  }
}
