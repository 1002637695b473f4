package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeriodicTaskTest {
  /** Another policy may refuse it for days. */
  @ParameterizedTest
  @CsvSource({
    "403, false, false",
    "403, true, false",
    "500, false, false",
    "409, false, true",
    "0, false, true"
  })
  void whatTheApiServerRefusesIsNotSentAgainAtOnce(int code, boolean isWrapped, boolean isSent)
      throws Exception {
    var refused = new KubernetesClientException("refused", code, null);
    var runs = new CountDownLatch(2);
    try (var _ =
        PeriodicTask.start(
            "test",
            Duration.ofMillis(1),
            () -> {
              runs.countDown();
              throw isWrapped ? new IllegalStateException("not armed", refused) : refused;
            })) {
      assertThat(runs.await(isSent ? 10_000 : 300, TimeUnit.MILLISECONDS)).isEqualTo(isSent);
    }
  }
}
