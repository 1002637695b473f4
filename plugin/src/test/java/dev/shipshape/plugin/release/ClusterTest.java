package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.service.ApiConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What looks at a cluster and removes from it, on a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class ClusterTest {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  /** One of each: made in the release's namespace, in another and in none; changed; removed. */
  private static final List<Manifest.Change> CHANGES =
      Manifest.parse(
              """
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: a, namespace: default}
              ---
              apiVersion: v1
              kind: Secret
              metadata: {name: a, namespace: default}
              """)
          .changesTo(
              Manifest.parse(
                  """
                  apiVersion: v1
                  kind: ConfigMap
                  metadata: {name: a}
                  ---
                  apiVersion: rbac.authorization.k8s.io/v1
                  kind: Role
                  metadata: {name: a, namespace: services}
                  ---
                  apiVersion: rbac.authorization.k8s.io/v1
                  kind: Role
                  metadata: {name: b, namespace: services}
                  ---
                  apiVersion: admissionregistration.k8s.io/v1
                  kind: ValidatingWebhookConfiguration
                  metadata: {name: a}
                  ---
                  apiVersion: apps/v1
                  kind: Deployment
                  metadata: {name: a, namespace: default}
                  spec: {replicas: 2}
                  ---
                  apiVersion: nowhere.example/v1
                  kind: Nothing
                  metadata: {name: a}
                  """));

  private final KubernetesApi administrator;
  private final ControlPlane cluster;

  ClusterTest(ControlPlane cluster) {
    this.cluster = cluster;
    this.administrator = new KubernetesApi(ApiConnection.open(cluster.kubeconfig(), null));
  }

  @Test
  void aClusterOfTodayIsFit() {
    var findings = new Preflight(administrator).look();

    assertThat(findings.good()).isTrue();
    assertThat(findings.all())
        .anySatisfy(finding -> assertThat(finding.about()).isEqualTo("Kubernetes"));
  }

  @Test
  void anAdministratorHasTheRightsForEveryChange() {
    assertThat(new Rights(administrator, "default").missingFor(CHANGES)).isEmpty();
  }

  @Test
  void whoMayNotInstallIsToldWhichRightsAreMissingAndWhere(@TempDir Path folder) throws Exception {
    var kubeconfig =
        Files.writeString(folder.resolve("config"), cluster.kubeconfigFor("nobody", List.of()));
    try (var client = ApiConnection.open(kubeconfig, null)) {
      var rights = new Rights(new KubernetesApi(client), "default");

      assertThat(rights.missingFor(CHANGES))
          .containsExactly(
              "create configmaps in default",
              "create roles.rbac.authorization.k8s.io in services",
              "create validatingwebhookconfigurations.admissionregistration.k8s.io",
              "patch deployments.apps in default",
              "delete secrets in default");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v3.17.4, WRONG",
    "v2.99.0, WRONG",
    "v3.18.0, GOOD",
    "v3.22.0, GOOD",
    "v4.0.1, GOOD",
    "?, NOTE"
  })
  void aHelmThatIsTooOldIsSaid(String version, Preflight.Weight weight) {
    assertThat(Preflight.helm(version).weight()).isEqualTo(weight);
    assertThat(Preflight.helm(version).found()).contains(version);
  }

  @Test
  void webhookConfigurationsAreRemovedAndBeingGoneIsNoFailure() throws Exception {
    var configuration =
        json(
            """
            {"apiVersion": "admissionregistration.k8s.io/v1",
             "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "removal"}}
            """);
    administrator.post(VALIDATING, configuration).requireSuccess("making one");

    var removal = new Removal(administrator);

    assertThat(removal.webhooks("removal", "removal"))
        .satisfiesExactly(
            done -> assertThat(done).contains("removal: removed (uid "),
            done -> assertThat(done).contains("removal: was not there"));
    assertThat(administrator.find(VALIDATING + "/removal")).isEmpty();
  }

  @Test
  void aGuardThatIsNotThereIsNoGoodFinding() {
    var findings = new Probe(administrator, "nowhere").run();

    assertThat(findings).singleElement().satisfies(finding -> assertThat(finding.good()).isFalse());
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }
}
