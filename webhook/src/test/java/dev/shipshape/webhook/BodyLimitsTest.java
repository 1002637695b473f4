package dev.shipshape.webhook;

import static dev.shipshape.webhook.AnswerShape.response;
import static dev.shipshape.webhook.Reviews.UID;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies that are too large, or never end. */
class BodyLimitsTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = creation(nodeConfig("worker-1", SPEC));

  private static TestingDoor door;
  private static Caller caller;

  @BeforeAll
  static void start() {
    door = new TestingDoor(TestingDoor.validating(), TestingDoor.stamping());
    caller = door.caller();
  }

  @AfterAll
  static void stop() {
    caller.close();
    door.close();
  }

  @Test
  void aBodyOverSevenMebibytesIsDeniedByItsUid() throws Exception {
    for (var size : List.of(7, 20)) {
      var oversize = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(size << 20) + "\"");

      var response = response(caller.post("/validate", oversize));

      assertThat(response.path("uid").asText()).isEqualTo(UID);
      assertThat(response.path("allowed").asBoolean(true)).isFalse();
      assertThat(response.path("status").path("code").asInt()).isEqualTo(413);
      assertThat(caller.post("/mutate", oversize).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void aBodyOfUnknownLengthIsLimitedToo() throws Exception {
    var oversize = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(8 << 20) + "\"");
    InputStream stream = new ByteArrayInputStream(Reviews.bytes(oversize));

    var answer = caller.post("/validate", BodyPublishers.ofInputStream(() -> stream), Caller.JSON);

    assertThat(response(answer).path("status").path("code").asInt()).isEqualTo(413);
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
          caller.post("/validate", BodyPublishers.ofInputStream(() -> endless), Caller.JSON);
      assertThat(answer.statusCode()).isEqualTo(413);
    } catch (IOException e) {
      // The connection is closed while the client still sends; not every client sees the answer.
      assertThat(e).isNotInstanceOf(HttpTimeoutException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
  }

  @Test
  void whereThereIsNoRoomForMoreBodiesTheApiServerIsAskedToComeAgain() throws Exception {
    var small = new BodyRoom(100_000, 0);
    try (var narrow =
            new TestingDoor(
                TestingDoor.validating(),
                TestingDoor.stamping(),
                TestingDoor.USUAL,
                null,
                small,
                2);
        var calling = narrow.caller()) {
      var large = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(150_000) + "\"");
      for (var attempt = 0; attempt < 3; attempt++) {
        var answer = calling.validate(large);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
      }
      for (var attempt = 0; attempt < 200; attempt++) {
        assertThat(calling.validate(GOOD).statusCode()).isEqualTo(200);
      }
      var now = System.nanoTime();
      var all = small.enter(true, new Pace(Duration.ofMinutes(1), now), () -> {});
      assertThat(all.take(100_000, now)).as("all room is given back").isTrue();
    }
  }
}
