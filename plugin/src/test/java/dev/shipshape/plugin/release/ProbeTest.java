package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.YamlDocuments;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which objects a real API server asks a guard about; nobody is there to answer. */
@ExtendWith(ControlPlaneExtension.class)
class ProbeTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  private final KubernetesApi api;
  private final String name;

  ProbeTest(ControlPlane cluster, UniqueNames names) {
    this.api = new KubernetesApi(ApiConnection.open(cluster.kubeconfig(), null));
    this.name = names.name("probe");
  }

  @Test
  void aGuardThatIsForLabelledObjectsOnlyIsTriedWithSuchAnObject() throws Exception {
    define(api);
    register("[{\"key\": \"only\", \"operator\": \"In\", \"values\": [\"%s\"]}]");

    // The API server knows of the registration some moments later.
    var end = Instant.now().plusSeconds(30);
    while (!tried().contains("failed calling webhook \"validate.shipshape.dev\"")) {
      assertThat(Instant.now()).as(tried()).isBefore(end);
    }
  }

  @Test
  void aGuardThatIsForNoObjectAtAllIsSaid() throws Exception {
    define(api);
    register(
        "[{\"key\": \"only\", \"operator\": \"In\", \"values\": [\"%s\"]},"
            + " {\"key\": \"only\", \"operator\": \"DoesNotExist\"}]");

    assertThat(new Probe(api, name).run())
        .containsExactly(
            new Probe.Finding(
                Preflight.Weight.WRONG,
                "nodeconfigs.network.schiff.telekom.de cannot be tried: the objectSelector of %s"
                        .formatted(name)
                    + " (guard.objectSelector) selects no object at all, so nothing is guarded"));
  }

  private String tried() {
    return new Probe(api, name).run().stream().map(Probe.Finding::text).toList().toString();
  }

  /** Has the cluster serve what the guard of this preset is for. */
  static void define(KubernetesApi api) {
    var definition = YamlDocuments.read(Definitions.nodeConfigs()).getFirst();
    var answer = api.post(DEFINITIONS, definition);
    assertThat(answer.code()).isIn(List.of(201, 409));
    var end = Instant.now().plusSeconds(30);
    while (!Preflight.serves(api, "network.schiff.telekom.de", "v1alpha1", "nodeconfigs")) {
      assertThat(Instant.now()).isBefore(end);
    }
  }

  private void register(String expressions) throws IOException {
    var configuration =
        """
        {"apiVersion": "admissionregistration.k8s.io/v1",
         "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "%s"},
         "webhooks": [{"name": "validate.shipshape.dev", "sideEffects": "None",
           "admissionReviewVersions": ["v1"], "failurePolicy": "Fail",
           "objectSelector": {"matchExpressions": %s},
           "clientConfig": {"url": "https://127.0.0.1:1/validate"},
           "rules": [{"apiGroups": ["network.schiff.telekom.de"], "apiVersions": ["v1alpha1"],
             "resources": ["nodeconfigs"], "operations": ["CREATE"]}]}]}
        """
            .formatted(name, expressions.formatted(name));
    api.post(VALIDATING, new ObjectMapper().readTree(configuration))
        .requireSuccess("POST " + VALIDATING);
  }
}
