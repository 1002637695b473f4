package dev.shipshape.webhook;

import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.webhook.server.AdmissionServer;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is spoken on the HTTPS port, and what is not. */
@ExtendWith(VertxExtension.class)
class TransportTest {
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
