package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class ClusterTest {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  private final KubernetesClient administrator;

  ClusterTest(ControlPlane cluster) {
    this.administrator = ApiConnection.open(cluster.kubeconfig(), null);
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
