package dev.shipshape.janitor.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PagesTest {
  /** As the client library waits if its own thread has run out of memory. */
  @Test
  void aListWhoseAnswerIsLostFails() {
    var lost = new CompletableFuture<String>();

    assertThatThrownBy(() -> Pages.await(lost::get, Duration.ofMillis(50)))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("no answer within PT0.05S");
  }
}
