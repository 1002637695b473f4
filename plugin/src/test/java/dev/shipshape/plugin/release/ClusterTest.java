package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.CheckResult.Level;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  /**
   * One of each: what stays, changes, is removed and is kept; what is made, here, elsewhere and
   * nowhere.
   */
  private static final Manifest NOW =
      Manifest.parse(
          """
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: a, namespace: default}
          ---
          apiVersion: v1
          kind: Service
          metadata: {name: same, namespace: default}
          ---
          apiVersion: v1
          kind: Secret
          metadata: {name: a, namespace: default}
          ---
          apiVersion: v1
          kind: ServiceAccount
          metadata: {name: kept, annotations: {helm.sh/resource-policy: keep}}
          """);

  private static final Manifest NEXT =
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
          kind: MutatingWebhookConfiguration
          metadata: {name: a}
          ---
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: a, namespace: default}
          spec: {replicas: 2}
          ---
          apiVersion: v1
          kind: Service
          metadata: {name: same, namespace: default}
          ---
          apiVersion: nowhere.example/v1
          kind: Nothing
          metadata: {name: a}
          """);

  private static final HelmPermissions.ApplyMethod HELM_3 =
      new HelmPermissions.ApplyMethod(false, false, "secrets");

  private final KubernetesClient administrator;
  private final ControlPlane cluster;

  @TempDir private Path folder;

  ClusterTest(ControlPlane cluster) {
    this.cluster = cluster;
    this.administrator = ApiConnection.open(cluster.kubeconfig(), null);
  }

  @Test
  void aClusterOfTodayIsFit() {
    var findings = new Preflight(administrator).look();

    assertThat(findings.results())
        .noneMatch(result -> result.level() == Level.WRONG)
        .anyMatch(result -> result.text().startsWith("Kubernetes: v1."));
  }

  @Test
  void anAdministratorHasTheRightsForEveryChange() {
    assertThat(new HelmPermissions(administrator, "default").missingFor(NOW, NEXT, HELM_3))
        .isEmpty();
  }

  @Test
  void whoMayNotInstallIsToldWhichRightsAreMissingAndWhere() throws Exception {
    assertThat(missing("nobody", HELM_3))
        .containsExactly(
            "create secrets in default",
            "update secrets in default",
            "create configmaps in default",
            "create roles.rbac.authorization.k8s.io in services",
            "create mutatingwebhookconfigurations.admissionregistration.k8s.io",
            "patch deployments.apps in default (a)",
            "delete secrets in default (a)",
            "list deployments.apps in default",
            "list pods in default",
            "list configmaps in default",
            "get configmaps in default (shipshape-disarmed)",
            "get validatingwebhookconfigurations.admissionregistration.k8s.io",
            "list validatingwebhookconfigurations.admissionregistration.k8s.io",
            "list mutatingwebhookconfigurations.admissionregistration.k8s.io");
  }

  @Test
  void aHelmThatAppliesByTheServerPatchesWhatItMakesAndWhatStays() throws Exception {
    assertThat(missing("nobody", new HelmPermissions.ApplyMethod(true, true, "")))
        .contains(
            "create namespaces",
            "patch namespaces (default)",
            "create configmaps in default",
            "patch configmaps in default (a)",
            "patch roles.rbac.authorization.k8s.io in services (a, b)",
            "patch services in default (same)")
        .doesNotContain("create secrets in default");
  }

  @Test
  void rightsOnTheVeryObjectsAreEnoughAndWhatIsKeptNeedNotBeDeleted() throws Exception {
    grant(
        "deployer",
        """
        [{"apiGroups": ["apps"], "resources": ["deployments"], "resourceNames": ["a"],
          "verbs": ["patch"]},
         {"apiGroups": [""], "resources": ["secrets"], "resourceNames": ["a"],
          "verbs": ["delete"]},
         {"apiGroups": [""], "resources": ["configmaps", "secrets"],
          "verbs": ["create", "update", "get", "list"]},
         {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"],
          "verbs": ["create"]},
         {"apiGroups": ["admissionregistration.k8s.io"],
          "resources": ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"],
          "verbs": ["create", "get", "list"]},
         {"apiGroups": ["", "apps"], "resources": ["pods", "deployments"], "verbs": ["list"]}]
        """);

    // The API server's authorizer knows of a binding some moments later.
    var end = Instant.now().plusSeconds(30);
    while (!missing("deployer", HELM_3).isEmpty()) {
      assertThat(Instant.now()).as(missing("deployer", HELM_3).toString()).isBefore(end);
    }
  }

  private List<String> missing(String user, HelmPermissions.ApplyMethod manner) throws Exception {
    var kubeconfig =
        Files.writeString(folder.resolve(user), cluster.kubeconfigFor(user, List.of()));
    try (var client = ApiConnection.open(kubeconfig, null)) {
      return new HelmPermissions(client, "default").missingFor(NOW, NEXT, manner);
    }
  }

  private void grant(String user, String rules) {
    var role = "{\"metadata\": {\"name\": \"%s\"}, \"rules\": %s}".formatted(user, rules);
    var binding =
        """
        {"metadata": {"name": "%1$s"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%1$s"},
         "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "%1$s"}]}
        """
            .formatted(user);
    administrator.raw(RBAC + "clusterroles", "POST", role);
    administrator.raw(RBAC + "clusterrolebindings", "POST", binding);
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

    assertThat(remover.webhooks("removal", "removal"))
        .satisfiesExactly(
            done ->
                assertThat(done).isEqualTo("mutatingwebhookconfigurations/removal: was not there"),
            done -> assertThat(done).contains("removal: removed (uid "));
    assertThat(administrator.raw(VALIDATING + "/removal")).isNull();
  }

  @Test
  void aGuardThatIsNotThereIsNoGoodFinding() {
    var findings = new SelfTest(administrator, "nowhere").run();

    assertThat(findings).singleElement().satisfies(finding -> assertThat(finding.good()).isFalse());
  }
}
