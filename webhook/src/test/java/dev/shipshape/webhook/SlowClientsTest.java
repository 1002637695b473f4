package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.UID;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are slow on purpose, or idle, are cut off, and those that are too many told so. */
@Timeout(60)
class SlowClientsTest {
  private static final int MOST = 20;
  private static final String GOOD = creation(nodeConfig("worker-1", "{}"));

  private static TestingDoor door;

  @BeforeAll
  static void start() {
    door = new TestingDoor(TestingDoor.validating(), TestingDoor.hasty(MOST));
  }

  @AfterAll
  static void stop() {
    door.close();
  }

  @Test
  void aHeadThatComesByteByByteIsCutOff() throws Exception {
    try (var client = door.rawClient()) {
      client.send("POST /validate HTTP/1.1\r\nHost: x\r\n");
      var closed = CompletableFuture.supplyAsync(client::untilClosed);
      while (!closed.isDone()) {
        trickle(client, "X: y\r\n");
      }

      assertThat(closed.join()).doesNotContain(" 200 ");
    }
  }

  @Test
  void aBodyThatComesByteByByteIsRefusedByItsUidAndCutOff() throws Exception {
    var began = GOOD.substring(0, GOOD.length() / 2);
    try (var client = door.rawClient()) {
      client.send(RawClient.head(1_000_000) + began);
      var closed = CompletableFuture.supplyAsync(client::untilClosed);
      while (!closed.isDone()) {
        trickle(client, " ");
      }

      assertThat(closed.join()).contains(UID, "\"allowed\":false", "408");
    }
  }

  @Test
  void anIdleConnectionIsClosedAfterAWhileHoweverItTrickles() throws Exception {
    try (var client = door.rawClient()) {
      assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
      assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");

      client.send("POST /validate HTTP/1.1\r\n");

      assertThat(client.untilClosed()).isEmpty();
    }
  }

  @Test
  void aClientThatReadsNoAnswersIsCutOff() throws Exception {
    var calls = Reviews.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));
    try (var client = door.rawClient()) {
      var sent = CompletableFuture.runAsync(() -> sendForEver(client, calls));

      assertThat(sent)
          .failsWithin(Duration.ofSeconds(40))
          .withThrowableThat()
          .withCauseInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void whatIsTooManyConnectionsIsToldSoAndThereIsRoomAgainLater() throws Exception {
    try (var full = new TestingDoor(TestingDoor.validating(), TestingDoor.patient(MOST))) {
      tooManyAreToldSo(full);
    }
  }

  private static void tooManyAreToldSo(TestingDoor full) throws Exception {
    var silent = new ArrayList<RawClient>();
    try (var welcome = full.rawClient()) {
      assertThat(welcome.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
      while (silent.size() < MOST) {
        silent.add(full.rawClient());
      }
      try (var late = full.rawClient()) {
        var answer = late.send(RawClient.request(GOOD)).answer().toLowerCase(Locale.ROOT);

        assertThat(answer)
            .startsWith("http/1.1 503 ")
            .contains("retry-after: 1", "connection: close");
      }
      assertThat(welcome.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
    } finally {
      for (var client : silent) {
        client.close();
      }
    }
    Eventually.eventually(
        () -> {
          try (var later = full.rawClient()) {
            assertThat(later.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
          }
        });
  }

  @Test
  void farTooManyConnectionsAreClosedAtOnce() throws Exception {
    var silent = new ArrayList<RawClient>();
    try (var narrow = new TestingDoor(TestingDoor.validating(), TestingDoor.patient(1))) {
      for (var count = 0; count < 101; count++) {
        silent.add(narrow.rawClient());
      }
      try (var late = narrow.rawClient()) {
        assertThat(late.untilClosed()).isEmpty();
      }
    } finally {
      for (var client : silent) {
        client.close();
      }
    }
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

  private static final Executor SOON = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);
}
