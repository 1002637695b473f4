package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.identity.LargeObjects;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What cannot be answered in time is put off at once, while there is time for another try. */
@ExtendWith(VertxExtension.class)
@Timeout(60)
class OverloadTest {
  private static final String GOOD = creation(nodeConfig("worker-1", "{}"));
  private static final String LARGE =
      creation(nodeConfig("worker-1", "{\"x\":\"" + "y".repeat(100_000) + "\"}"));
  private static final String SLOW = LARGE.replace("\"jane\"", "\"slow\"");

  /**
   * On a busy machine it may come so late that the connection is closed already: once more then.
   */
  @Test
  void aLargeCallWhoseTurnComesTooLateIsPutOff(Vertx vertx) throws Exception {
    eventually(() -> itsTurnComesTooLate(vertx));
  }

  private static void itsTurnComesTooLate(Vertx vertx) throws Exception {
    var workers = AdmissionRoutes.workers();
    var busy = new CountDownLatch(workers);
    var free = new CompletableFuture<Void>();
    Function<AdmissionRequest, Decision> slow =
        request -> {
          if (request.user().equals("slow")) {
            busy.countDown();
            free.join();
          }
          return TestingServer.validating().apply(request);
        };
    var server = new TestingServer(vertx, slow, TestingServer.USUAL);
    var first = new ArrayList<RawClient>();
    try (var hasty = server.rawClient();
        var small = server.rawClient()) {
      for (var count = 0; count < workers; count++) {
        first.add(server.rawClient().send(RawClient.request(SLOW)));
      }
      assertThat(busy.await(20, SECONDS)).isTrue();
      hasty.send(RawClient.request(LARGE).replace("timeout=10s", "timeout=1s"));
      assertThat(small.send(RawClient.request(GOOD)).answer())
          .as("small calls do not wait for large ones")
          .contains("\"allowed\":true");
      // So long that less is left of the hasty call's second than may be taken to be.
      var ignored = free.completeOnTimeout(null, 400, MILLISECONDS);

      assertThat(hasty.answer().toLowerCase(Locale.ROOT))
          .startsWith("http/1.1 503 ")
          .contains("retry-after: 1");
      assertThat(server.refusals(Reason.OVERLOADED)).isEqualTo(1);
      for (var client : first) {
        assertThat(client.answer()).contains("\"allowed\":true");
      }
    } finally {
      free.complete(null);
      for (var client : first) {
        client.close();
      }
    }
  }

  @Test
  void aCallThatWaitsBehindALargeObjectUntilItsDeadlineIsPutOff(Vertx vertx) throws Exception {
    eventually(() -> itWaitsBehindALargeObject(vertx));
  }

  private static void itWaitsBehindALargeObject(Vertx vertx) throws Exception {
    var huge = LARGE.replace("\"x\":\"", "\"x\":\"" + "y".repeat(600_000));
    var server = new TestingServer(vertx, TestingServer.validating(), TestingServer.USUAL);
    var busy = new CountDownLatch(1);
    var free = new CompletableFuture<Void>();
    var watch =
        Thread.ofVirtual()
            .start(
                () ->
                    LargeObjects.oneAtATime(
                        huge.length(),
                        () -> {
                          busy.countDown();
                          return free.join();
                        }));
    assertThat(busy.await(20, SECONDS)).isTrue();
    try (var hasty = server.rawClient()) {
      hasty.send(RawClient.request(huge).replace("timeout=10s", "timeout=1s"));
      var ignored = free.completeOnTimeout(null, 400, MILLISECONDS);

      assertThat(hasty.answer()).startsWith("HTTP/1.1 503 ");
    } finally {
      free.complete(null);
    }
    assertThat(watch.join(Duration.ofSeconds(20))).isTrue();
  }
}
