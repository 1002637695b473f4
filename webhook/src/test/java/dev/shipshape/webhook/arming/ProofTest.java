package dev.shipshape.webhook.arming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Kubeconfig;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Eventually;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.admission.AdmissionReview;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class ProofTest {
  @Test
  void theReplicasOfAnotherReleaseDoNotAnswerForThisOne() {
    var request =
        AdmissionReview.read(
            """
            {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
             "uid": "u", "operation": "CREATE",
             "resource": {"group": "shipshape.dev", "version": "v1alpha1", "resource": "x"},
             "object": {"metadata": {"annotations": {"shipshape.dev/proof": "one/2f57"}}}}}
            """
                .getBytes(StandardCharsets.UTF_8));

    assertThat(Proof.respond("one", request).message()).isEqualTo("one/2f57");
    assertThat(Proof.respond("another", request).message()).isEmpty();
  }

  /** Of two replicas, one may serve the old certificate for as long as its kubelet takes. */
  @Test
  void aBundleIsSettledByCallsInARowAndNotByThoseBetweenFailures() {
    try (var client = new KubernetesClientBuilder().build()) {
      var proof = new Proof(client, "shipshape", Duration.ofMinutes(1), Optional::empty);
      proof.refresh("new");
      for (var call = 0; call < 100; call++) {
        proof.done("new", call % 2 == 0 ? "" : "x509: unknown authority");
      }
      assertThat(proof.isSettled("new")).isFalse();
      assertThat(proof.problem()).as("one failure is none").isEmpty();

      for (var call = 0; call < 19; call++) {
        proof.done("new", "");
      }
      assertThat(proof.isSettled("new")).isFalse();
      proof.done("new", "");
      assertThat(proof.isSettled("new")).isTrue();
    }
  }

  /** The path to it is good then, and looking for firewalls costs time. */
  @Test
  void anExpiredCertificateIsNamedBeforeThePathToTheWebhook() {
    try (var client = new KubernetesClientBuilder().build()) {
      var expired = new AtomicReference<>(Optional.of("the certificate has expired at 12:00"));
      var proof = new Proof(client, "shipshape", Duration.ofMinutes(1), expired::get);
      proof.refresh("new");
      for (var call = 0; call < 2; call++) {
        proof.done("new", "the API server does not reach the webhook");
      }

      var why = "the certificate has expired at 12:00; the API server does not reach the webhook";
      assertThat(proof.objection("new")).as("to arming").contains(why);
      assertThat(proof.problem()).as("of an armed guard").contains(why);

      expired.set(Optional.empty());
      assertThat(proof.problem()).contains("the API server does not reach the webhook");
      proof.done("new", "");
      assertThat(proof.problem()).isEmpty();
      expired.set(Optional.of("the certificate is valid only from 13:00"));
      assertThat(proof.problem()).as("while calls succeed").isEmpty();
    }
  }

  /** The API server throttles a client before it calls any webhook. */
  @Test
  void thatTheTestCallIsThrottledSaysNothingOfOtherWrites(
      ControlPlane cluster, @TempDir Path folder) throws Exception {
    try (var faulty = FaultyApi.start(cluster)) {
      faulty.always(request -> request.contains("dryRun=All"), FaultyApi.refuse(429));
      var kubeconfig = folder.resolve("kubeconfig");
      Files.writeString(kubeconfig, Kubeconfig.anonymous(faulty.address().toString()));
      try (var client = ApiConnection.open(kubeconfig, null)) {
        assertThat(Proof.attempt(client, "shipshape")).as("by a person").isEmpty();
        var proof = new Proof(client, "shipshape", Duration.ofMinutes(1), Optional::empty);
        Eventually.holds(
            "why it is not armed is told",
            () -> {
              proof.refresh("new");
              return proof.problem().isPresent();
            });
        var throttled = proof.problem().orElseThrow();

        proof.done("new", "");
        for (var call = 0; call < 3; call++) {
          proof.done("new", throttled);
        }

        assertThat(throttled).contains("429");
        assertThat(proof.isSuccessful()).isTrue();
        assertThat(proof.problem()).isEmpty();
      }
    }
  }
}
