package dev.shipshape.webhook.arming;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProofTest {
  /** Of two replicas, one may serve the old certificate for as long as its kubelet takes. */
  @Test
  void aBundleIsSettledByCallsInARowAndNotByThoseBetweenFailures() {
    try (var client = new KubernetesClientBuilder().build()) {
      var proof = new Proof(client, Duration.ofMinutes(1));
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
}
