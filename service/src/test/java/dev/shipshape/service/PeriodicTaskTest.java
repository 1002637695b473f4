package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
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
    var log =
        logOf(
            _ -> {
              throw failure;
            });
    assertThat(log).containsOnlyOnce("will try again");
    assertThat(log.contains("at " + getClass().getName())).isEqualTo(isBug);
  }

  /** As of the objects that a policy refuses. */
  @Test
  void failuresThatAlternateAreLoggedOnceEach() throws Exception {
    var log =
        logOf(
            run -> {
              if (run % 3 > 0) {
                throw new IllegalStateException("refused " + run % 3);
              }
            });
    assertThat(log).containsOnlyOnce("refused 1").containsOnlyOnce("refused 2");
  }

  /** Returns what ten runs of a task log. */
  private static String logOf(LongConsumer task) throws InterruptedException {
    var left = new CountDownLatch(10);
    var log = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try (var _ =
        PeriodicTask.start(
            "test",
            Duration.ofMillis(1),
            () -> {
              left.countDown();
              task.accept(left.getCount());
            })) {
      assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      System.setErr(before);
    }
    return log.toString(UTF_8);
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
