package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bodies that are too large, or never end. */
@ExtendWith(VertxExtension.class)
class BodyLimitsTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = creation(nodeConfig("worker-1", SPEC));

  private static TestingServer server;
  private static Caller caller;

  @BeforeAll
  static void start(Vertx vertx) {
    server = new TestingServer(vertx, TestingServer.validating(), TestingServer.stamping());
    caller = server.caller();
  }

  @AfterAll
  static void stop() {
    caller.close();
  }

  @Test
  void aBodyOverSevenMebibytesIsRefused() throws Exception {
    for (var size : List.of(7, 20)) {
      var oversize = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(size << 20) + "\"");

      assertThat(caller.post("/validate", oversize).statusCode()).isEqualTo(413);
      assertThat(caller.post("/mutate", oversize).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void anEndlessBodyIsCutOff() throws Exception {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] buffer, int from, int length) {
            Arrays.fill(buffer, from, from + length, (byte) 'x');
            return length;
          }
        };

    var began = System.nanoTime();
    try {
      var answer =
          caller.post(
              "/validate?timeout=2s", BodyPublishers.ofInputStream(() -> endless), Caller.JSON);
      assertThat(answer.statusCode()).isEqualTo(413);
    } catch (IOException e) {
      // The connection is closed while the client still sends; not every client sees the answer.
      assertThat(e).isNotInstanceOf(HttpTimeoutException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
  }

  @Promise(
      value = "Many large reviews at once use bounded memory.",
      breaks = "Reading a body before memory is reserved for it.")
  @Test
  void whereThereIsNoRoomForMoreBodiesTheApiServerIsAskedToComeAgain(Vertx vertx) throws Exception {
    var narrow =
        new TestingServer(
            vertx,
            TestingServer.validating(),
            TestingServer.stamping(),
            TestingServer.USUAL,
            null,
            100_000,
            2);
    var large = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(150_000) + "\"");
    try (var calling = narrow.caller()) {
      for (var attempt = 0; attempt < 3; attempt++) {
        var answer = calling.validate(large);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
      }
      for (var attempt = 0; attempt < 200; attempt++) {
        assertThat(calling.validate(GOOD).statusCode()).as("room is given back").isEqualTo(200);
      }
    }
  }

  @Test
  void aRefusedCallDoesNotCutOffTheNextOneOnItsConnection(Vertx vertx) throws Exception {
    var slow =
        new TestingServer(
            vertx,
            request -> {
              await(new CountDownLatch(1), 1_500);
              return Decision.of(Reason.NOT_GUARDED);
            },
            TestingServer.stamping(),
            TestingServer.USUAL,
            null,
            GOOD.length() + 100,
            1);
    var large = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(10_000) + "\"");
    try (var client = slow.rawClient()) {
      var refused = RawClient.request(large).replace("timeout=10s", "timeout=1s");
      assertThat(client.send(refused).answer()).startsWith("HTTP/1.1 503 ");

      assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
    }
  }

  private static void await(CountDownLatch never, long millis) {
    try {
      assertThat(never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aClientThatGoesAwayGivesItsRoomBack(Vertx vertx, VertxTestContext test) throws Exception {
    var narrow =
        new TestingServer(
            vertx,
            TestingServer.validating(),
            TestingServer.stamping(),
            TestingServer.USUAL,
            null,
            GOOD.length() + 100,
            1);
    var half = RawClient.request(GOOD).substring(0, RawClient.request(GOOD).length() - 10);
    for (var attempt = 0; attempt < 10; attempt++) {
      try (var leaving = narrow.rawClient()) {
        leaving.send(half);
      }
    }
    try (var calling = narrow.caller()) {
      eventually(() -> assertThat(calling.validate(GOOD).statusCode()).isEqualTo(200));
    }
    test.completeNow();
  }
}
