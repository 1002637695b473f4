package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.webhook.server.AdmissionServer;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that are slow on purpose, idle, or too many are cut off. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(VertxExtension.class)
@Timeout(60)
class SlowClientsTest {
  private static final int MOST = 20;
  private static final String GOOD = creation(nodeConfig("worker-1", "{}"));

  private static TestingServer server;

  @BeforeAll
  static void start(Vertx vertx) {
    server = new TestingServer(vertx, TestingServer.validating(), TestingServer.hasty(MOST));
  }

  @Test
  void aHeadThatComesByteByByteIsCutOff() throws Exception {
    try (var client = server.rawClient()) {
      client.send("POST /validate HTTP/1.1\r\nHost: x\r\n");
      var closed = CompletableFuture.supplyAsync(client::untilClosed, THREADS);
      while (!closed.isDone()) {
        trickle(client, "X: y\r\n");
      }

      assertThat(closed.join()).doesNotContain(" 200 ");
    }
  }

  @Promise(
      value = "A slow client holds a connection no longer than its call's timeout.",
      breaks = "A timeout that each byte restarts.")
  @Test
  void aBodyThatComesByteByByteIsCutOffWithTheDeadlineOfItsCall() throws Exception {
    try (var client = server.rawClient()) {
      client.send(RawClient.head(1_000_000).replace("timeout=10s", "timeout=1s") + "{");
      var closed = CompletableFuture.supplyAsync(client::untilClosed, THREADS);
      while (!closed.isDone()) {
        trickle(client, " ");
      }

      assertThat(closed.join()).isEmpty();
    }
  }

  @Test
  void anIdleConnectionIsClosedAfterAWhile(Vertx vertx) throws Exception {
    var limits =
        new AdmissionServer.Limits(MOST, Duration.ofSeconds(10), Duration.ofSeconds(2), false);
    var patient = new TestingServer(vertx, TestingServer.validating(), limits);
    try (var client = patient.rawClient()) {
      assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
      assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");

      assertThat(client.untilClosed()).isEmpty();
    }
  }

  @Test
  void aClientThatReadsNoAnswersIsCutOff() throws Exception {
    var calls = Reviews.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));
    try (var client = server.rawClient()) {
      var sent = CompletableFuture.runAsync(() -> sendForEver(client, calls), THREADS);

      assertThat(sent)
          .failsWithin(Duration.ofSeconds(40))
          .withThrowableThat()
          .withCauseInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void oneConnectionTooManyIsClosedAndThereIsRoomAgainLater(Vertx vertx) throws Exception {
    var full =
        new TestingServer(
            vertx, TestingServer.validating(), AdmissionServer.Limits.of(MOST, false));
    var held = new ArrayList<RawClient>();
    try {
      while (held.size() < MOST) {
        var client = full.rawClient();
        held.add(client);
        // Its answer says that it is counted, before the one too many comes.
        assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
      }
      try (var late = full.rawClient()) {
        assertThat(late.untilClosed()).isEmpty();
      }
      assertThat(held.getFirst().send(RawClient.request(GOOD)).answer())
          .contains("\"allowed\":true");
    } finally {
      for (var client : held) {
        client.close();
      }
    }
    Eventually.eventually(
        () -> {
          try (var later = full.rawClient()) {
            assertThat(later.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
          } catch (IOException e) {
            throw new AssertionError("still closed", e);
          }
        });
  }

  private static void sendForEver(RawClient client, byte[] calls) {
    try {
      while (true) {
        client.send(calls);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void trickle(RawClient client, String text) {
    try {
      client.send(text);
      CompletableFuture.runAsync(() -> {}, SOON).join();
    } catch (IOException e) {
      // Closed meanwhile.
    }
  }

  /** Not the common pool, which has one thread on two cores: the API clients of others use it. */
  private static final Executor THREADS = Thread.ofVirtual()::start;

  private static final Executor SOON = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);
}
