package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Definitions;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Which objects a real API server asks a guard about; nobody is there to answer. */
@ExtendWith(ControlPlaneExtension.class)
class SelfTestTest {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  /** Of this test's objects; other tests' are not asked about. */
  private static final String SELECTOR =
      "[{\"key\": \"only\", \"operator\": \"In\", \"values\": [\"%s\"]}]";

  private final ControlPlane cluster;
  private final KubernetesClient client;
  private final String name;

  @TempDir private Path folder = Path.of("");

  SelfTestTest(ControlPlane cluster, UniqueNames names) {
    this.cluster = cluster;
    this.client = ApiConnection.open(cluster.kubeconfig(), null);
    this.name = names.name("probe");
  }

  @Test
  void aGuardThatIsForLabelledObjectsOnlyIsTriedWithSuchAnObject() throws Exception {
    define(client);
    make(configuration(entry("validate", "Fail", "network.schiff.telekom.de", "nodeconfigs")));

    // The API server knows of the registration some moments later.
    Eventually.holds(
        "it is tried",
        () -> tried().contains("failed calling webhook \"validate.validate.shipshape.dev\""));
  }

  @Test
  void aGuardThatIsNotThereIsNoGoodFinding() {
    assertThat(new SelfTest(client, "nowhere").run())
        .singleElement()
        .satisfies(finding -> assertThat(finding.good()).isFalse());
  }

  @Test
  void aTryIsToBeRefusedOnlyWhereTheGuardOfThatResourceIsArmed() throws Exception {
    define(client);
    make(
        configuration(
            entry("widgets", "Fail", "example.com", "widgets")
                + ", "
                + entry("nodeconfig", "Ignore", "network.schiff.telekom.de", "nodeconfigs")));

    assertThat(tried()).contains("was not noticed by the guard: it was let through without");
  }

  @Test
  void aResourceThatIsServedInOtherVersionsOnlyProvesNothing() throws Exception {
    define(client);
    make(configuration(entry("nodeconfig", "Ignore", "network.schiff.telekom.de", "nodeconfigs")));
    try (var faulty = FaultyApi.start(cluster)) {
      var group = "/apis/network.schiff.telekom.de";
      faulty.always(request -> request.contains(group + "/v1alpha1"), FaultyApi.refuse(404));
      faulty.always(
          request -> request.equals("GET " + group),
          FaultyApi.respondWith(
              """
              {"kind": "APIGroup", "versions": [{"groupVersion": "network.schiff.telekom.de/v1"}]}
              """));
      faulty.always(
          request -> request.equals("GET " + group + "/v1"),
          FaultyApi.respondWith(
              """
              {"kind": "APIResourceList", "resources": [{"name": "nodeconfigs"}]}
              """));
      assertProvesNothing(faulty, "the API server serves it in other versions only");
    }
  }

  @Test
  void aConfigurationWithTheProofAloneGuardsNothing() {
    make(configuration(entry("", "Ignore", "", "configmaps").replace(".validate.", "proof.")));

    assertThat(new SelfTest(client, name).run()).noneMatch(CheckResult::good).hasSize(1);
  }

  /** Whoever arms it would believe to be guarded. */
  @Test
  void aResourceThatIsNotServedProvesNothing() throws Exception {
    make(configuration(entry("nodeconfig", "Ignore", "network.schiff.telekom.de", "nodeconfigs")));
    try (var faulty = FaultyApi.start(cluster)) {
      faulty.always(
          request -> request.contains("/apis/network.schiff.telekom.de"), FaultyApi.refuse(404));
      assertProvesNothing(faulty, "nothing is guarded: name your operator's preset");
    }
  }

  /** As just after its definition was made, or with API servers that disagree. */
  @Test
  void aServedResourceOfWhichTheApiServerKnowsNothingIsNotGood() throws Exception {
    define(client);
    make(configuration(entry("nodeconfig", "Ignore", "network.schiff.telekom.de", "nodeconfigs")));
    try (var faulty = FaultyApi.start(cluster)) {
      faulty.always(request -> request.startsWith("POST"), FaultyApi.refuse(404));
      assertProvesNothing(faulty, "was not noticed by the guard: 404");
    }
  }

  @Test
  void aWebhookThatHasYetToRegisterItselfIsWaitedFor() throws Exception {
    try (var faulty = FaultyApi.start(cluster)) {
      faulty.once(
          request -> request.equals("GET " + VALIDATING + "/" + name),
          exchange -> {
            make(configuration(entry("widgets", "Ignore", "example.com", "widgets")));
            FaultyApi.refuse(404).respond(exchange);
          });
      try (var faultyClient = clientOf(faulty)) {
        assertThat(new SelfTest(faultyClient, name).await())
            .allMatch(CheckResult::good)
            .singleElement()
            .asString()
            .contains("is for none of the presets' resources");
      }
    }
  }

  @Test
  void aMissingRightIsNotWaitedFor() throws Exception {
    for (var code : List.of(401, 403)) {
      try (var faulty = FaultyApi.start(cluster);
          var faultyClient = clientOf(faulty)) {
        faulty.always(_ -> true, FaultyApi.refuse(code));

        assertThatExceptionOfType(KubernetesClientException.class)
            .isThrownBy(() -> new SelfTest(faultyClient, name).await())
            .matches(failure -> failure.getCode() == code);
        assertThat(faulty.requests(""))
            .as("the library asks once more if the token was refused")
            .hasSizeLessThanOrEqualTo(2);
      }
    }
  }

  private void assertProvesNothing(FaultyApi faulty, String why) throws IOException {
    try (var faultyClient = clientOf(faulty)) {
      assertThat(new SelfTest(faultyClient, name).run())
          .noneMatch(CheckResult::good)
          .singleElement()
          .asString()
          .contains(why);
    }
  }

  private KubernetesClient clientOf(FaultyApi faulty) throws IOException {
    var config = Kubeconfig.anonymous(faulty.address().toString());
    return ApiConnection.open(Files.writeString(folder.resolve("config"), config), null);
  }

  private String tried() {
    return new SelfTest(client, name).run().stream().map(CheckResult::text).toList().toString();
  }

  /** Has the cluster serve what the guard of this preset is for. */
  static void define(KubernetesClient client) {
    client.resource(Definitions.nodeConfigs()).forceConflicts().serverSideApply();
    Eventually.holds(
        "the resource is served",
        () -> ApiConnection.serves(client, "network.schiff.telekom.de/v1alpha1", "nodeconfigs"));
  }

  private static String entry(String guard, String policy, String group, String plural) {
    return """
    {"name": "%s.validate.shipshape.dev", "sideEffects": "None", "failurePolicy": "%s",
     "admissionReviewVersions": ["v1"], "objectSelector": {"matchExpressions": %s},
     "clientConfig": {"url": "https://127.0.0.1:1/validate"},
     "rules": [{"apiGroups": ["%s"], "apiVersions": ["v1alpha1"], "resources": ["%s"],
       "operations": ["CREATE"]}]}
    """
        .formatted(guard, policy, SELECTOR, group, plural);
  }

  private String configuration(String entries) {
    return """
    {"apiVersion": "admissionregistration.k8s.io/v1",
     "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "%s"}, "webhooks": [%s]}
    """
        .formatted(name, entries.replace("%s", name));
  }

  private void make(String configuration) {
    client.raw(VALIDATING, "POST", configuration);
  }
}
