package dev.shipshape.webhook.certificate;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.certificate.ConfigurationKind.MUTATING;
import static dev.shipshape.webhook.certificate.ConfigurationKind.VALIDATING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.certs.Authority;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What becomes of the Secret and of the configurations on a real API server. */
@Execution(ExecutionMode.CONCURRENT)
// Their lines in the log look the same.
@ResourceLock(TestNamespace.SECRET)
@ExtendWith(ControlPlaneExtension.class)
class SelfManagedCertificatesTest {
  private static final Duration DAY = Duration.ofDays(1);

  private TestNamespace namespace;

  @BeforeEach
  void create(ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    namespace = new TestNamespace(cluster, names, folder);
  }

  @AfterEach
  void delete() {
    namespace.close();
  }

  @Test
  void aFirstStartMakesTheSecretAndPutsItsBundleIntoTheConfiguration() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      served(replica);

      trusted();
      var stored = namespace.stored();
      assertThat(replica.certificates.current().bundle()).isEqualTo(stored.bundle());
      assertThat(stored.authorityKey()).contains("PRIVATE KEY");
      assertThat(namespace.secret().get().getMetadata().getLabels())
          .containsEntry(SelfManagedCertificates.LABEL, SelfManagedCertificates.LABEL_VALUE);
      eventually(() -> assertThat(replica.matches(MUTATING)).isEqualTo(1));
      assertThat(namespace.foreignBundle()).isEmpty();
    }
  }

  /** As in a release that refuses nothing; the caBundle of test calls is the new one alone. */
  @Test
  void aConfigurationForTestCallsAloneIsTrusted() throws Exception {
    namespace.create(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: %s}
        webhooks:
        - name: proof.shipshape.dev
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Ignore
          rules:
          - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}
          clientConfig: {url: "https://127.0.0.1:1/proof"}
        """
            .formatted(namespace.configuration));
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      eventually(() -> assertThat(replica.matches(VALIDATING)).isEqualTo(1));
    }
  }

  @Test
  void aRightThatIsMissingIsLogged(ControlPlane cluster, UniqueNames names, @TempDir Path folder)
      throws Exception {
    var nobody = names.name("nobody");
    var kubeconfig =
        Files.writeString(folder.resolve("nobody"), cluster.kubeconfigFor(nobody, List.of()));
    try (var log = new CapturedLog();
        var client = ApiConnection.open(kubeconfig, null);
        var _ = WebhookConfigurations.watch(client, "shipshape")) {
      eventually(
          () ->
              assertThat(log.text())
                  .contains(
                      "registration or certificates is refused: the API server answered 403: ")
                  .contains(
                      nobody + "\" cannot list resource \"validatingwebhookconfigurations\""));
    }
  }

  @Test
  void ofAConfigurationItOwnsNothingButTheBundle() throws Exception {
    namespace.register(1, 2);
    try (var _ = new TestReplica(namespace)) {
      trusted();

      var owned =
          namespace.configuration().get().getMetadata().getManagedFields().stream()
              .filter(entry -> entry.getManager().equals(WebhookConfigurations.FIELD_MANAGER))
              .map(ManagedFieldsEntry::getFieldsV1)
              .map(fields -> String.valueOf(fields.getAdditionalProperties()))
              .toList();

      assertThat(owned)
          .singleElement()
          .isEqualTo(
              "{f:webhooks={k:{\"name\":\"one.shipshape.dev\"}="
                  + "{.={}, f:clientConfig={f:caBundle={}}, f:name={}}, "
                  + "k:{\"name\":\"other.shipshape.dev\"}="
                  + "{.={}, f:clientConfig={f:caBundle={}}, f:name={}}}}");
    }
  }

  @Test
  void aBundleThatSomethingElseEmptiesOrChangesIsPutBack() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      trusted();

      namespace.setBundle("");
      trusted();
      namespace.setBundle(other());
      trusted();
      eventually(() -> assertThat(replica.matches(MUTATING)).isEqualTo(1));
    }
  }

  /** As by cainjector, whose annotation was left. */
  @Test
  void thatOthersChangeTheBundleAgainAndAgainIsTold() throws Exception {
    namespace.register(1, 2);
    try (var log = new CapturedLog();
        var _ = new TestReplica(namespace)) {
      trusted();
      eventually(
          () -> {
            namespace.setBundle("");
            assertThat(log.text()).contains("certificates: others change the caBundle");
          });
    }
  }

  @Test
  void twoReplicasThatBeginAtOnceServeOneCertificateAndRenewItOnce() throws Exception {
    namespace.register(1, 2);
    try (var one = new TestReplica(namespace);
        var two = new TestReplica(namespace)) {
      var first = served(one);
      eventually(() -> assertThat(served(two)).isEqualTo(first));
      trusted();

      one.passes(DAY.multipliedBy(61));
      two.passes(DAY.multipliedBy(61));

      eventually(() -> assertThat(one.served()).isNotEqualTo(first).isEqualTo(two.served()));
      trusted();
      assertThat(one.served()).isEqualTo(namespace.stored().leaf());
    }
  }

  @Test
  void theBundleOfAnotherSourceIsLeftAlone() throws Exception {
    namespace.registerFrom("existing-secret", 1, 2);
    var mine = other();
    namespace.setBundle(mine);
    try (var replica = new TestReplica(namespace)) {
      served(replica);
      namespace.tamper(Map.of("tls.crt", ""));
      eventually(() -> assertThat(namespace.stored().leaf()).as("a round later").isNotEmpty());

      assertThat(namespace.bundle()).isEqualTo(mine);
    }
  }

  @Test
  void aConfigurationThatComesLaterGetsTheBundleToo() throws Exception {
    try (var replica = new TestReplica(namespace)) {
      served(replica);
      assertThat(replica.matches(MUTATING)).isZero();

      namespace.register(1, 2);

      trusted();
    }
  }

  @Test
  void anEmptySecretOfTheChartIsFilledAndItsOtherPartsStay() throws Exception {
    namespace.create(secret("labels: {shipshape.dev/certificates: self-managed, a: b}"));
    try (var replica = new TestReplica(namespace)) {
      served(replica);

      assertThat(namespace.secret().get().getMetadata().getLabels()).containsEntry("a", "b");
      assertThat(namespace.secret().get().getData()).containsKeys("own", "tls.crt");
    }
  }

  @Test
  void aSecretThatIsNotOursIsLeftAloneAndSaid() throws Exception {
    namespace.create(secret("labels: {a: b}"));
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      eventually(
          () ->
              assertThat(replica.certificates.notReadyReason().orElse(""))
                  .contains("it has no label shipshape.dev/certificates"));

      assertThat(namespace.secret().get().getData()).containsOnlyKeys("own");
      assertThat(namespace.bundle()).isEmpty();

      namespace.secret().edit(this::labelled);
      served(replica);
    }
  }

  @Promise(
      value = "A new authority is trusted before it is used.",
      breaks = "Serving a leaf as soon as it is issued.")
  @Test
  void aLeafOfANewAuthorityIsServedOnlyAfterItsBundleHasStoodInTheConfiguration() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      served(replica);
      trusted();
      replica.passes(DAY.multipliedBy(200));
      var leaf = eventually(() -> renewed(replica, DAY.multipliedBy(89)));
      var old = namespace.stored().bundle();

      replica.passes(DAY.multipliedBy(41));

      eventually(() -> assertThat(namespace.stored().bundle()).endsWith(old).isNotEqualTo(old));
      trusted();
      assertThat(replica.served()).isEqualTo(leaf);
      timePassesUntilAnotherLeafIsServed(replica, leaf);
      assertThat(replica.certificates.current().isTrustedBy(old, replica.now())).isFalse();
      assertThat(namespace.bundle()).as("the old authority stays").endsWith(old);
    }
  }

  @Test
  void whereABundleCannotStandTheLeafOfTheOldAuthorityGoesOn() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      served(replica);
      trusted();
      namespace.administrator.rbac().clusterRoleBindings().withName(namespace.name).delete();
      eventually(
          () ->
              assertThatThrownBy(() -> namespace.configurationAsReplica().get())
                  .as("not allowed")
                  .isInstanceOf(KubernetesClientException.class));
      var leaf = replica.served();

      namespace.tamper(Map.of("ca.key", ""));
      eventually(() -> assertThat(namespace.stored().authorityKey()).isNotEmpty());
      replica.passes(TestReplica.PROPAGATION.multipliedBy(2));

      replica.passes(DAY.multipliedBy(80));
      assertThat(namespace.stored().leaf()).isEqualTo(leaf);
      assertThat(replica.served()).isEqualTo(leaf);
    }
  }

  /** Its key and its Secret are all that a leaf needs. */
  @Test
  void whereABundleCannotBePublishedTheLeafIsRenewedAllTheSame() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      var leaf = served(replica);
      trusted();
      namespace.takeTheRightToPublish();
      namespace.setBundle("");

      replica.passes(DAY.multipliedBy(61));
      timePassesUntilAnotherLeafIsServed(replica, leaf);
    }
  }

  @Test
  void aDeletedSecretIsMadeAgainAndTheServedLeafGoesOn() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      var leaf = served(replica);
      trusted();
      var old = namespace.stored().bundle();

      namespace.secret().delete();

      eventually(() -> assertThat(namespace.storedOnceMade().bundle()).endsWith(old));
      assertThat(namespace.stored().leaf()).isEqualTo(leaf);
      assertThat(replica.served()).isEqualTo(leaf);
      trusted();
      timePassesUntilAnotherLeafIsServed(replica, leaf);
    }
  }

  @Test
  void aClockThatJumpsAloneRenewsNothing() throws Exception {
    namespace.register(1, 2);
    try (var replica = new TestReplica(namespace)) {
      var leaf = served(replica);
      trusted();

      replica.jumps(DAY.multipliedBy(1000));
      namespace.setBundle("");
      trusted();
      replica.jumps(DAY.multipliedBy(-2000));
      namespace.setBundle("");
      trusted();

      assertThat(namespace.stored().leaf()).as("each bundle put back was a round").isEqualTo(leaf);
      assertThat(replica.served()).isEqualTo(leaf);
    }
  }

  private static void timePassesUntilAnotherLeafIsServed(TestReplica replica, String leaf)
      throws Exception {
    eventually(
        () -> {
          replica.passes(TestReplica.PROPAGATION.dividedBy(4));
          assertThat(replica.served()).isNotEqualTo(leaf);
        });
  }

  private static String renewed(TestReplica replica, Duration left) {
    assertThat(replica.certificates.current().pair().notAfter()).isAfter(replica.now().plus(left));
    return replica.served();
  }

  private String served(TestReplica replica) throws Exception {
    eventually(() -> assertThat(replica.certificates.notReadyReason()).isEmpty());
    return replica.served();
  }

  /** Waits until the configuration has the Secret's bundle. */
  private void trusted() throws Exception {
    eventually(
        () -> {
          var bundle = namespace.storedOnceMade().bundle();
          assertThat(namespace.bundle()).isEqualTo(bundle);
        });
  }

  private static String other() {
    return Authority.create("other", DAY, InstantSource.system()).certificate();
  }

  private String secret(String labels) {
    return """
    apiVersion: v1
    kind: Secret
    metadata: {name: %s, namespace: %s, %s}
    stringData: {own: content}
    """
        .formatted(TestNamespace.SECRET, namespace.name, labels);
  }

  private Secret labelled(Secret secret) {
    return new SecretBuilder(secret)
        .editMetadata()
        .addToLabels(SelfManagedCertificates.LABEL, SelfManagedCertificates.LABEL_VALUE)
        .endMetadata()
        .build();
  }
}
