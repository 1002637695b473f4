package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.CheckResult.Level;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What looks at a cluster and removes from it, on a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class ClusterTest {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  private final KubernetesClient administrator;

  ClusterTest(ControlPlane cluster) {
    this.administrator = ApiConnection.open(cluster.kubeconfig(), null);
  }

  @Test
  void aClusterOfTodayIsFit() {
    var findings = new Preflight(administrator).look();

    assertThat(findings.results())
        .noneMatch(result -> result.level() == Level.WRONG)
        .anyMatch(result -> result.text().startsWith("Kubernetes: v1."));
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
  void aHelmThatIsTooOldIsSaid(String version, Level level) {
    assertThat(Preflight.helm(version).level()).isEqualTo(level);
    assertThat(Preflight.helm(version).text()).contains(version);
  }

  @Test
  void webhookConfigurationsAreRemovedAndBeingGoneIsNoFailure() {
    var configuration =
        """
        {"apiVersion": "admissionregistration.k8s.io/v1",
         "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "removal"}}
        """;
    administrator.raw(VALIDATING, "POST", configuration);

    var remover = new Remover(administrator);

    assertThat(remover.mutating("removal"))
        .isEqualTo("mutatingwebhookconfigurations/removal: was not there");
    assertThat(remover.validating("removal")).contains("removal: removed (uid ");
    assertThat(administrator.raw(VALIDATING + "/removal")).isNull();
  }

  @Test
  void aGuardThatIsNotThereIsNoGoodFinding() {
    var findings = new SelfTest(administrator, "nowhere").run();

    assertThat(findings).singleElement().satisfies(finding -> assertThat(finding.good()).isFalse());
  }
}
