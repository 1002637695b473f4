package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodicTaskTest {
  /** A message alone does not lead to a bug. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailureThatLastsIsLoggedOnceAndWithItsPlaceIfItIsABug(boolean isBug) throws Exception {
    RuntimeException failure =
        isBug ? new ArithmeticException("a bug") : new KubernetesClientException("no answer");
    var runs = new CountDownLatch(3);
    var log = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try (var _ =
        PeriodicTask.start(
            "test",
            Duration.ofMillis(1),
            () -> {
              runs.countDown();
              throw failure;
            })) {
      assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8)).containsOnlyOnce("will try again");
    assertThat(log.toString(UTF_8).contains("at " + getClass().getName())).isEqualTo(isBug);
  }

  /** As of the objects that a policy refuses. */
  @Test
  void failuresThatAlternateAreLoggedOnceEach() throws Exception {
    var runs = new CountDownLatch(10);
    var log = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try (var _ =
        PeriodicTask.start(
            "test",
            Duration.ofMillis(1),
            () -> {
              runs.countDown();
              if (runs.getCount() % 3 > 0) {
                throw new IllegalStateException("refused " + runs.getCount() % 3);
              }
            })) {
      assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8)).containsOnlyOnce("refused 1").containsOnlyOnce("refused 2");
  }

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
