package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Good calls are answered however many clients stall, or do nothing, and come again when cut. */
@Timeout(120)
class CrowdTest {
  private static final int MOST = 20;
  private static final String GOOD = good(0);
  private static final String USUAL = good(24_000);

  /** The API server's own for a call, nearly. */
  private static final Duration CALL = Duration.ofSeconds(5);

  @Test
  void largeBodiesThatStallAgainAndAgainHoldUpNobody() throws Exception {
    var room = new BodyRoom(16 << 20, 2 << 20);
    // All but 10 KB of what large ones may take.
    try (var door = door(ConnectionLimits.of(1_000), room);
        var crowd = new Crowd(door, 2, 7_340_000, 7_335_000);
        var caller = door.caller()) {
      crowd.awaitAll();
      for (var count = 0; count < 100; count++) {
        assertThat(caller.validate(USUAL).statusCode()).isEqualTo(200);
      }
      var large = good(6_000_000);
      while (door.refusals(Refusal.STALLED) < 3) {
        eventually(CALL, () -> assertThat(caller.validate(large).statusCode()).isEqualTo(200));
        assertThat(caller.validate(USUAL).statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void manySmallBodiesThatStallAgainAndAgainHoldUpNobody() throws Exception {
    var room = new BodyRoom(1 << 20, 1 << 17);
    // 17 of them leave less than a usual body takes.
    try (var door = door(ConnectionLimits.of(1_000), room);
        var crowd = new Crowd(door, 30, 62_000, 61_000);
        var caller = door.caller()) {
      crowd.awaitAll();
      while (crowd.returns() < 10) {
        eventually(CALL, () -> assertThat(caller.validate(USUAL).statusCode()).isEqualTo(200));
      }
    }
  }

  @Test
  void aNewConnectionGetsInWhileIdleOnesFillTheLimit() throws Exception {
    var idle = new ArrayList<RawClient>();
    try (var door = door(ConnectionLimits.of(MOST), BodyRoom.ofHeap());
        var busy = door.rawClient()) {
      while (idle.size() < MOST - 1) {
        idle.add(door.rawClient());
        assertAllowed(idle.getLast());
      }
      for (var count = 0; count < 3; count++) {
        eventually(
            CALL,
            () -> {
              assertAllowed(busy);
              assertNewcomerAllowed(door);
            });
      }
      assertThat(idle.getFirst().untilClosed()).isEmpty();
      assertAllowed(busy);
    } finally {
      close(idle);
    }
  }

  @Test
  void aNewConnectionGetsInWhileStalledBodiesFillTheLimit() throws Exception {
    try (var door = door(ConnectionLimits.of(MOST), BodyRoom.ofHeap());
        var crowd = new Crowd(door, MOST, 60_000, 1)) {
      crowd.awaitAll();
      for (var count = 0; count < 3; count++) {
        eventually(CALL, () -> assertNewcomerAllowed(door));
      }
    }
  }

  @Test
  void aNewConnectionGetsInWhileThoseThatReadNoAnswersFillTheLimit() throws Exception {
    var most = 5;
    try (var door = door(ConnectionLimits.of(most), BodyRoom.ofHeap());
        var deaf = new Deaf(door, most)) {
      deaf.awaitFull();
      for (var count = 0; count < 2 * most; count++) {
        eventually(CALL, () -> assertNewcomerAllowed(door));
      }
    }
  }

  @Test
  void whoWasAnsweredAReviewKeepsItsConnectionWhileOthersAskForNothingServedHere()
      throws Exception {
    try (var door = door(ConnectionLimits.of(MOST), BodyRoom.ofHeap());
        var kept = door.rawClient()) {
      assertAllowed(kept);
      try (var knocks = new Knocks(door, MOST + 5, Duration.ofMillis(300))) {
        knocks.awaitEach(7);
        assertAllowed(kept);
      }
    }
  }

  private static TestingDoor door(ConnectionLimits limits, BodyRoom room) {
    return new TestingDoor(TestingDoor.validating(), TestingDoor.stamping(), limits, null, room, 2);
  }

  private static void assertNewcomerAllowed(TestingDoor door) throws Exception {
    try (var newcomer = door.rawClient()) {
      assertAllowed(newcomer);
    } catch (IOException e) {
      throw new AssertionError("it was cut off", e);
    }
  }

  private static void assertAllowed(RawClient client) throws Exception {
    assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
  }

  private static String good(int padding) {
    return creation(nodeConfig("worker-1", "{}"))
        .replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(padding) + "\"");
  }

  private static void close(List<RawClient> clients) throws Exception {
    for (var client : clients) {
      client.close();
    }
  }
}
