package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

class LeaseTroublesTest {
  private final LeaseTroubles troubles = new LeaseTroubles("shipshape/shipshape-webhook");

  @Test
  void aMissingRightIsNamed() {
    assertThat(troubles.failed("create", failure(403)))
        .contains(
            "lease shipshape/shipshape-webhook: no permission to create it;"
                + " grant the verbs get and update on it, and create on leases");
  }

  @Test
  void theSameIsSaidOnceUntilItSucceeds() {
    assertThat(troubles.failed("get", failure(403))).isPresent();
    assertThat(troubles.failed("get", failure(403))).isEmpty();
    assertThat(troubles.failed("get", failure(500))).isPresent();
    assertThat(troubles.failed("update", failure(500))).isPresent();

    troubles.succeeded("get");

    assertThat(troubles.failed("get", failure(500))).isPresent();
    assertThat(troubles.failed("update", failure(500))).isEmpty();
  }

  @Test
  void thatAnotherOneWasQuickerIsNoTrouble() {
    assertThat(troubles.failed("update", failure(409))).isEmpty();
  }

  private static KubernetesClientException failure(int code) {
    return new KubernetesClientException("said the API server", code, null);
  }
}
