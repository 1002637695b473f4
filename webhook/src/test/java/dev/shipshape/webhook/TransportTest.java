package dev.shipshape.webhook;

import static dev.shipshape.webhook.AnswerShape.response;
import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is spoken on the HTTPS port, and what is not; bodies that are too large, or never end. */
@ExtendWith(VertxExtension.class)
class TransportTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = creation(nodeConfig("worker-1", SPEC));
  private static final String BAD = creation(nodeConfig("worker-1", "{\"layer2\":[{\"id\":6}]}"));

  private static TestingServer server;
  private static Caller caller;

  @BeforeAll
  static void start(Vertx vertx) {
    server =
        new TestingServer(
            vertx, troubled(TestingServer.validating()), troubled(TestingServer.stamping()));
    caller = server.caller();
  }

  @AfterAll
  static void stop() {
    caller.close();
  }

  @Test
  void otherContentTypesAndEncodingsAreRefused() throws Exception {
    for (var path : List.of("/validate", "/mutate")) {
      for (var type : List.of("text/plain", "application/yaml")) {
        var headers = Map.of("Content-Type", type);
        assertThat(caller.post(path, BodyPublishers.ofString(GOOD), headers).statusCode())
            .isEqualTo(415);
      }
      assertThat(caller.post(path, BodyPublishers.ofString(GOOD), Map.of("X", "y")).statusCode())
          .isBetween(400, 415);
      var headers = Map.of("Content-Type", "application/json", "Content-Encoding", "gzip");
      assertThat(caller.post(path, BodyPublishers.ofString("\u001f\u008b"), headers).statusCode())
          .isEqualTo(400);
    }
    assertThat(
            caller
                .post(
                    "/validate",
                    BodyPublishers.ofString(GOOD),
                    Map.of("Content-Type", "application/json; charset=utf-8"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void garbageThatComesAgainAndAgainIsLoggedOnce() throws Exception {
    try (var log = new CapturedLog()) {
      for (var attempt = 0; attempt < 50; attempt++) {
        assertThat(caller.post("/validate", "x" + attempt).statusCode()).isEqualTo(400);
      }

      assertThat(log.lines("refused a call to /validate")).hasSizeLessThan(2);
      assertThat(caller.post("/mutate", "x").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void otherPathsAndMethodsAreErrors() throws Exception {
    assertThat(caller.post("/", GOOD).statusCode()).isEqualTo(404);
    assertThat(caller.post("/validate/x", GOOD).statusCode()).isEqualTo(404);
    assertThat(caller.post("/metrics", GOOD).statusCode()).isEqualTo(404);
    var get = caller.get("/validate");
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow")).contains("POST");
  }

  @Test
  void onlyHttp11IsSpokenAndTls12IfItIsNotForbidden(Vertx vertx) throws Exception {
    assertThat(caller.post("/validate", GOOD).version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    assertThat(handshake(server, "TLSv1.3")).isEqualTo("http/1.1");
    assertThat(handshake(server, "TLSv1.2")).isEqualTo("http/1.1");
    var strict =
        new TestingServer(vertx, TestingServer.validating(), AdmissionServer.Limits.of(9, true));
    assertThat(handshake(strict, "TLSv1.3")).isEqualTo("http/1.1");
    assertThatThrownBy(() -> handshake(strict, "TLSv1.2")).isInstanceOf(SSLException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {20_000, 1_000_000})
  void hugeHeadersAreRefused(int size) throws Exception {
    try (var client = server.rawClient()) {
      String answer;
      try {
        client.send("POST /validate HTTP/1.1\r\nHost: x\r\nX: ");
        client.send("y".repeat(size) + "\r\n\r\n");
        answer = client.untilClosed();
      } catch (IOException e) {
        // It may be closed before the client has sent it all.
        answer = "";
      }
      assertThat(answer).doesNotContain(" 200 ");
      if (!answer.isEmpty()) {
        assertThat(answer).startsWith("HTTP/1.1 431 ");
      }
    }
    assertThat(caller.validate(GOOD).statusCode()).isEqualTo(200);
  }

  @Test
  void aClientThatSpeaksHttp2AllTheSameIsClosed() throws Exception {
    try (var client = server.rawClient()) {
      client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

      assertThat(client.untilClosed()).doesNotContain(" 200 ");
    }
  }

  @Test
  void aLargeObjectIsDecidedToo() throws Exception {
    var large = "{\"layer2\":[{\"id\":6}],\"x\":\"" + "y".repeat(200_000) + "\"}";

    var allowed = response(caller.post("/validate", creation(nodeConfig("worker-1", large))));
    assertThat(allowed.path("allowed").asBoolean()).isTrue();
    var denied = BAD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(200_000) + "\"");
    assertThat(response(caller.post("/validate", denied)).path("status").path("code").asInt())
        .isEqualTo(403);
  }

  @Promise(
      value = "An internal error never allows a write.",
      breaks = "Treating an exception as \"no match\".")
  @Test
  void aMistakeOfOursIsADenialOrAnErrorAndNeverAnAllow() throws Exception {
    var trouble = GOOD.replace("\"jane\"", "\"trouble\"");

    var response = response(caller.post("/validate", trouble));

    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.path("status").path("code").asInt()).isEqualTo(500);
    assertThat(response.path("status").path("message").asText()).doesNotContain("mistake of ours");
    assertThat(caller.post("/mutate", trouble).statusCode()).isEqualTo(500);
    assertThat(response(caller.post("/validate", GOOD)).path("allowed").asBoolean()).isTrue();
  }

  @Test
  void aMistakeOutsideTheDecisionIsAnErrorAtOnceAndNoAllow(Vertx vertx) throws Exception {
    var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
    var endpoint =
        new AdmissionEndpoint(Endpoint.VALIDATE, TestingServer.validating(), metrics, List.of());
    var calls = new AtomicInteger();
    BooleanSupplier faulty =
        () -> {
          if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("a mistake of ours");
          }
          return false;
        };
    var memory = AdmissionRoutes.bodyMemory();
    var router = AdmissionRoutes.router(vertx, List.of(endpoint), metrics, faulty, memory);
    try (var calling = new TestingServer(vertx, router).caller()) {
      var answer = calling.post("/validate", GOOD);

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).doesNotContain("allowed", "mistake of ours");
      assertThat(calling.post("/validate", GOOD).body()).contains("\"allowed\":true");
    }
  }

  private static Function<AdmissionRequest, Decision> troubled(
      Function<AdmissionRequest, Decision> decider) {
    return request -> {
      if (request.user().equals("trouble")) {
        throw new IllegalStateException("a mistake of ours");
      }
      return decider.apply(request);
    };
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
    var narrow = narrow(vertx, TestingServer.validating(), 100_000, 2);
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

  /** Which is doubled until the body fits. */
  @Test
  void aLargeBodyCountsAsMuchAsItsBufferAndIsGivenBack(Vertx vertx) throws Exception {
    var large = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(150_000) + "\"");
    var reserve = 2 << 20;
    try (var calling = narrow(vertx, TestingServer.validating(), reserve + 200_000, 1).caller()) {
      assertThat(calling.validate(large).statusCode()).isEqualTo(503);
    }
    try (var calling = narrow(vertx, TestingServer.validating(), reserve + 300_000, 1).caller()) {
      for (var attempt = 0; attempt < 10; attempt++) {
        assertThat(calling.validate(large).statusCode()).as("room is given back").isEqualTo(200);
      }
    }
  }

  @Test
  void aRefusedCallDoesNotCutOffTheNextOneOnItsConnection(Vertx vertx) throws Exception {
    var slow =
        narrow(
            vertx,
            request -> {
              CompletableFuture.runAsync(
                      () -> {}, CompletableFuture.delayedExecutor(1_500, TimeUnit.MILLISECONDS))
                  .join();
              return Decision.of(Reason.NOT_GUARDED);
            },
            GOOD.length() + 100,
            1);
    var large = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(10_000) + "\"");
    try (var client = slow.rawClient()) {
      var refused = RawClient.request(large).replace("timeout=10s", "timeout=1s");
      assertThat(client.send(refused).answer()).startsWith("HTTP/1.1 503 ");

      assertThat(client.send(RawClient.request(GOOD)).answer()).contains("\"allowed\":true");
    }
  }

  @Test
  void aClientThatGoesAwayGivesItsRoomBack(Vertx vertx, VertxTestContext test) throws Exception {
    var narrow = narrow(vertx, TestingServer.validating(), GOOD.length() + 100, 1);
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

  private static TestingServer narrow(
      Vertx vertx, Function<AdmissionRequest, Decision> validate, int bodyMemory, int size) {
    return new TestingServer(
        vertx, validate, TestingServer.stamping(), TestingServer.USUAL, null, bodyMemory, size);
  }

  private static String handshake(TestingServer server, String protocol) throws Exception {
    var sockets = server.trust().getSocketFactory();
    try (var socket = (SSLSocket) sockets.createSocket("127.0.0.1", server.port())) {
      var parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getApplicationProtocol();
    }
  }
}
