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

  private final KubernetesApi administrator;
  private final ControlPlane cluster;

  ClusterTest(ControlPlane cluster) {
    this.cluster = cluster;
    this.administrator = new KubernetesApi(ApiConnection.open(cluster.kubeconfig(), null));
  }

  @Test
  void anAdministratorMayInstall() {
    var findings = new Preflight(administrator, "default").look();

    assertThat(findings.good()).isTrue();
    assertThat(findings.all())
        .anySatisfy(finding -> assertThat(finding.about()).isEqualTo("Kubernetes"));
  }

  @Test
  void whoMayNotInstallIsToldWhichRightsAreMissing(@TempDir Path folder) throws Exception {
    var kubeconfig =
        Files.writeString(folder.resolve("config"), cluster.kubeconfigFor("nobody", List.of()));
    try (var client = ApiConnection.open(kubeconfig, null)) {
      var findings = new Preflight(new KubernetesApi(client), "default").look();

      assertThat(findings.good()).isFalse();
      assertThat(findings.all())
          .anySatisfy(
              finding -> {
                assertThat(finding.weight()).isEqualTo(Preflight.Weight.WRONG);
                assertThat(finding.found())
                    .contains(
                        "validatingwebhookconfigurations.admissionregistration.k8s.io",
                        "deployments.apps in default");
              });
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
