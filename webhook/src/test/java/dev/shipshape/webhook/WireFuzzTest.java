package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.admission.BodyBudget;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever comes over a real TLS connection; bodies are AdmissionFuzzTest's. */
@ExtendWith(VertxExtension.class)
@Timeout(300)
class WireFuzzTest {
  private static final long SEED = 20_261_121;
  private static final int GARBAGE = 30;
  private static final String GOOD =
      creation(nodeConfig("worker-1", "{\"layer2\":[{\"id\":1,\"x\":[{\"y\":\"ü\"}]}]}"));

  /** Inserted anywhere, these are more likely to matter than random bytes. */
  private static final List<String> TOKENS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ",",
          ":",
          "null",
          "1e999",
          "-0",
          "\\u0000",
          "\\ud800",
          "\u0000",
          "[".repeat(300),
          "\"uid\":\"x\",",
          "\"object\":{},",
          "\"allowed\":true",
          "9".repeat(500));

  private static TestingServer server;
  private static Caller caller;

  private final Random random = new Random(SEED);

  @BeforeAll
  static void start(Vertx vertx) {
    server =
        new TestingServer(
            vertx,
            TestingServer.validating(),
            TestingServer.stamping(),
            TestingServer.hasty(1_000),
            null,
            BodyBudget.ofHeap(),
            2);
    caller = server.caller();
  }

  @AfterAll
  static void stop() {
    caller.close();
  }

  @Test
  void bytesThatAreNoHttpAreAnsweredWithAnErrorOrNotAtAll() throws Exception {
    var head = Reviews.bytes(RawClient.request(GOOD));
    for (var attempt = 0; attempt < GARBAGE; attempt++) {
      var bytes = attempt % 2 == 0 ? noise() : damaged(head);
      try (var client = server.rawClient()) {
        client.send(bytes);
        client.send("\r\n\r\n");
        var answer = client.untilClosed();

        assertThat(answer)
            .as("attempt %d of seed %d", attempt, SEED)
            .matches("(?s)|\\S+/1\\.\\d [2-5]\\d\\d .*");
      } catch (IOException e) {
        // Closed while the client was still sending.
        assertThat(e).hasMessageNotContaining("handshake");
      }
    }
    assertServesAsBefore();
  }

  private void assertServesAsBefore() throws Exception {
    assertThat(caller.validate(GOOD).body()).contains("\"allowed\":true");
    var bad = creation(nodeConfig("worker-1", "{\"layer2\":[{\"id\":6}]}"));
    assertThat(caller.validate(bad).body()).contains("\"allowed\":false", "403");
  }

  private byte[] noise() {
    var bytes = new byte[1 + random.nextInt(2_000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] damaged(byte[] whole) {
    var bytes = whole;
    for (var count = 1 + random.nextInt(3); count > 0; count--) {
      bytes =
          switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 1 -> overwritten(bytes);
            case 2 -> inserted(bytes, Reviews.bytes(TOKENS.get(random.nextInt(TOKENS.size()))));
            default -> inserted(bytes, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
          };
    }
    return bytes;
  }

  private byte[] overwritten(byte[] bytes) {
    var changed = bytes.clone();
    if (changed.length > 0) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
    }
    return changed;
  }

  private byte[] inserted(byte[] bytes, byte[] more) {
    var at = random.nextInt(bytes.length + 1);
    var longer = Arrays.copyOf(bytes, bytes.length + more.length);
    System.arraycopy(more, 0, longer, at, more.length);
    System.arraycopy(bytes, at, longer, at + more.length, bytes.length - at);
    return longer;
  }
}
