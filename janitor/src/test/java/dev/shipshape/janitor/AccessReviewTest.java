package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class AccessReviewTest {
  @Test
  void missingRightsAreNamedAndAskedForAgainAfterAMinute(
      ControlPlane controlPlane, UniqueNames names) {
    var now = new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));
    try (var cluster = new TestCluster(controlPlane, names.namespace("rights"));
        var client = cluster.clientOf("janitor")) {
      var logs = RequiredAccess.access("get", "", "pods/log", cluster.namespace(), "");
      var patch =
          RequiredAccess.access("patch", "apps", "deployments", cluster.namespace(), "operator");
      var rights = new AccessReview(client, now::get, "test", List.of(logs, patch));

      assertThat(rights.areGranted()).isFalse();
      assertThat(rights.missing()).containsExactly(logs, patch);
      assertThat(RequiredAccess.text(patch))
          .isEqualTo("patch deployments.apps operator in " + cluster.namespace());

      grant(cluster);
      assertThat(rights.areGranted()).as("asked a moment ago").isFalse();
      now.set(now.get().plusSeconds(60));
      TestCluster.eventually(
          "the API server knows the Role",
          () -> {
            now.set(now.get().plusSeconds(60));
            return rights.areGranted();
          });
      assertThat(rights.missing()).isEmpty();
    }
  }

  @Test
  void whatWasAskedAtATimeYetToComeIsAskedAgain(ControlPlane controlPlane, UniqueNames names) {
    var now = new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));
    try (var cluster = new TestCluster(controlPlane, names.namespace("rights"));
        var client = cluster.clientOf("janitor")) {
      var logs = RequiredAccess.access("get", "", "pods/log", cluster.namespace(), "");
      var rights = new AccessReview(client, now::get, "test", List.of(logs));
      assertThat(rights.areGranted()).isFalse();

      grant(cluster);
      TestCluster.eventually(
          "a clock that is set back, again and again, holds up no question",
          () -> {
            now.set(now.get().minusSeconds(3600));
            return rights.areGranted();
          });
    }
  }

  @Test
  void whoPrunesWhatIsStuckMustSeeItsJobsArmedOrNot() throws Exception {
    assertThat(toPrune("pendingOlderThan: 1d")).contains("list jobs.batch in services");
    assertThat(toPrune("pendingOlderThan: 1d, armed: true"))
        .containsOnlyOnce("list jobs.batch in services");
    assertThat(toPrune("")).doesNotContain("list jobs.batch in services");
  }

  private static List<String> toPrune(String prune) throws BadSettings {
    var settings =
        SettingsReader.parse(
            "janitor.yaml",
            "{apiVersion: shipshape.dev/v1, prune: {%s}}".formatted(prune),
            JanitorSettings::from);
    return RequiredAccess.toPrune(settings).stream().map(RequiredAccess::text).toList();
  }

  private static void grant(TestCluster cluster) {
    var rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + cluster.namespace();
    cluster.create(
        rbac + "/roles",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
         "metadata": {"name": "janitor"}, "rules": [
          {"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]},
          {"apiGroups": ["apps"], "resources": ["deployments"], "resourceNames": ["operator"],
           "verbs": ["patch"]}]}
        """);
    cluster.create(
        rbac + "/rolebindings",
        """
        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
         "metadata": {"name": "janitor"},
         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "janitor"},
         "subjects": [{"kind": "ServiceAccount", "name": "janitor", "namespace": "%s"}]}
        """
            .formatted(cluster.namespace()));
  }
}
