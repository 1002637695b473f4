package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;
import static dev.shipshape.webhook.Reviews.UID;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.certs.ServerRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTPS port, spoken to with a plain HTTP client. */
class AdmissionDoorTest {
  private static final String SPEC = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = creation(nodeConfig("worker-1", SPEC));
  private static final String BAD = creation(nodeConfig("worker-1", "{\"layer2\":[{\"id\":6}]}"));

  private static Vertx vertx;
  private static DecisionWorkers workers;
  private static SSLContext trust;
  private static HttpClient http;
  private static int port;
  private static MeterRegistry registry;

  @BeforeAll
  static void start() {
    var authority = Authority.create("test", Duration.ofDays(1), InstantSource.system());
    var certificates =
        CertificateSource.inMemory(
            authority, new ServerRequest("webhook", List.of("localhost"), Duration.ofDays(1)));
    trust = ClientContext.trusting(authority.certificate());
    http = HttpClient.newBuilder().sslContext(trust).build();
    vertx = Vertx.vertx();
    workers = new DecisionWorkers(2);
    registry = new SimpleMeterRegistry();
    var metrics = new AdmissionMetrics(registry);
    var guards =
        new TestingGuards()
            .holding(record("worker-1", "-invalid", "{\"layer2\":[{\"id\":6}]}"))
            .guards();
    Decider failing =
        request -> {
          if (request.user().equals("trouble")) {
            throw new IllegalStateException("a mistake of ours");
          }
          return new ValidationDecider(guards, Scope.CLUSTER).decide(request);
        };
    Decider stamper =
        request -> {
          if (request.user().equals("trouble")) {
            throw new IllegalStateException("a mistake of ours");
          }
          return new Stamper(guards).decide(request);
        };
    var door =
        new AdmissionDoor(
            vertx,
            List.of(
                new AdmissionEntry(Entry.VALIDATE, failing, metrics),
                new AdmissionEntry(Entry.MUTATE, stamper, metrics)),
            metrics,
            workers,
            () -> false);
    port =
        AdmissionServer.start(
                vertx, new WebhookSettings.Address("127.0.0.1", 0), certificates, door, 2)
            .port();
  }

  @AfterAll
  static void stop() {
    http.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
    workers.close();
  }

  @Test
  void aGoodConfigIsAllowed() throws Exception {
    var response = response(post("/validate", GOOD));

    assertThat(response.path("uid").asText()).isEqualTo(UID);
    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.has("status")).isFalse();
    assertThat(response.has("patch")).isFalse();
    assertThat(response.has("patchType")).isFalse();
  }

  @Test
  void aKnownInvalidConfigIsDeniedWithItsReason() throws Exception {
    var denied = counted("shipshape.webhook.refusals", "reason", "known_invalid");

    var response = response(post("/validate", BAD));

    assertThat(response.path("allowed").asBoolean()).isFalse();
    assertThat(response.path("status").path("code").asInt()).isEqualTo(403);
    assertThat(response.path("status").path("reason").asText()).isEqualTo("Forbidden");
    assertThat(response.path("status").path("message").asText()).contains("worker-1-invalid");
    assertThat(counted("shipshape.webhook.refusals", "reason", "known_invalid"))
        .isEqualTo(denied + 1);
  }

  @Test
  void theMutatingEntryPatchesAndDeniesNothing() throws Exception {
    var response = response(post("/mutate", BAD));

    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
    var patch = json(new String(response.path("patch").binaryValue(), StandardCharsets.UTF_8));
    assertThat(patch.get(0).path("path").asText()).isEqualTo("/metadata/annotations");
  }

  @Test
  void aLargeObjectIsDecidedToo() throws Exception {
    var large = "{\"layer2\":[{\"id\":6}],\"x\":\"" + "y".repeat(200_000) + "\"}";

    var allowed = response(post("/validate", creation(nodeConfig("worker-1", large))));
    assertThat(allowed.path("allowed").asBoolean()).isTrue();
    var denied = BAD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(200_000) + "\"");
    assertThat(response(post("/validate", denied)).path("status").path("code").asInt())
        .isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "{}", "[]", "null", "{\"apiVersion\":\"admission.k8s.io/v1\""})
  void whatIsNoReviewIsAnHttpErrorAtBothEntries(String body) throws Exception {
    assertThat(post("/validate", body).statusCode()).isEqualTo(400);
    assertThat(post("/mutate", body).statusCode()).isEqualTo(400);
  }

  @Test
  void aDamagedReviewWhoseUidCameIsDeniedInACompleteAnswer() throws Exception {
    for (var damaged :
        List.of(
            GOOD.substring(0, GOOD.length() / 2),
            GOOD.replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1"),
            GOOD.replace("AdmissionReview", "Review"),
            GOOD.replace("\"dryRun\":false", "\"dryRun\":\"no\""),
            GOOD + "{}")) {
      var response = response(post("/validate", damaged));

      assertThat(response.path("uid").asText()).isEqualTo(UID);
      assertThat(response.path("allowed").asBoolean(true)).isFalse();
      assertThat(response.path("status").path("code").asInt()).isEqualTo(400);
      assertThat(post("/mutate", damaged).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void aBodyOverSevenMebibytesIsDeniedByItsUid() throws Exception {
    for (var size : List.of(7, 20)) {
      var oversize = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(size << 20) + "\"");

      var response = response(post("/validate", oversize));

      assertThat(response.path("uid").asText()).isEqualTo(UID);
      assertThat(response.path("allowed").asBoolean(true)).isFalse();
      assertThat(response.path("status").path("code").asInt()).isEqualTo(413);
      assertThat(post("/mutate", oversize).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void aBodyOfUnknownLengthIsLimitedToo() throws Exception {
    var oversize = GOOD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(8 << 20) + "\"");
    InputStream stream = new ByteArrayInputStream(Reviews.bytes(oversize));

    var answer =
        post(
            "/validate",
            BodyPublishers.ofInputStream(() -> stream),
            Map.of(JSON, "application/json"));

    assertThat(response(answer).path("status").path("code").asInt()).isEqualTo(413);
  }

  private static final String JSON = "Content-Type";

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
          post(
              "/validate",
              BodyPublishers.ofInputStream(() -> endless),
              Map.of(JSON, "application/json"));
      assertThat(answer.statusCode()).isEqualTo(413);
    } catch (IOException e) {
      // The connection is closed while the client still sends; not every client sees the answer.
      assertThat(e).isNotInstanceOf(HttpTimeoutException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
  }

  @Test
  void otherContentTypesAndEncodingsAreRefused() throws Exception {
    for (var headers :
        List.of(
            Map.of(JSON, "text/plain"),
            Map.of("X", "y"),
            Map.of(JSON, "application/json", "Content-Encoding", "gzip"))) {
      var body = BodyPublishers.ofString(GOOD);

      assertThat(response(post("/validate", body, headers)).path("status").path("code").asInt())
          .isEqualTo(415);
      assertThat(post("/mutate", BodyPublishers.ofString(GOOD), headers).statusCode())
          .isEqualTo(415);
    }
    assertThat(
            post(
                    "/validate",
                    BodyPublishers.ofString(GOOD),
                    Map.of(JSON, "application/json; charset=utf-8"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void aMistakeOfOursIsADenialOrAnErrorAndNeverAnAllow() throws Exception {
    var trouble = GOOD.replace("\"jane\"", "\"trouble\"");

    var response = response(post("/validate", trouble));

    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.path("status").path("code").asInt()).isEqualTo(500);
    assertThat(response.path("status").path("message").asText()).doesNotContain("mistake of ours");
    assertThat(post("/mutate", trouble).statusCode()).isEqualTo(500);
    assertThat(response(post("/validate", GOOD)).path("allowed").asBoolean()).isTrue();
  }

  @Test
  void otherPathsAndMethodsAreErrors() throws Exception {
    assertThat(post("/", GOOD).statusCode()).isEqualTo(404);
    assertThat(post("/validate/x", GOOD).statusCode()).isEqualTo(404);
    assertThat(post("/metrics", GOOD).statusCode()).isEqualTo(404);
    var get = http.send(HttpRequest.newBuilder(uri("/validate")).build(), BodyHandlers.ofString());
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(get.headers().firstValue("Allow")).contains("POST");
  }

  @Test
  void onlyHttp11AndTls13AreSpoken() throws Exception {
    assertThat(post("/validate", GOOD).version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    assertThat(handshake("TLSv1.3")).isEqualTo("http/1.1");
    assertThatThrownBy(() -> handshake("TLSv1.2")).isInstanceOf(SSLException.class);
  }

  @Test
  void hugeHeadersAreRefused() throws Exception {
    // A client of its own, since its connection is closed.
    try (var client = HttpClient.newBuilder().sslContext(trust).build()) {
      var request =
          HttpRequest.newBuilder(uri("/validate"))
              .header("X", "y".repeat(20_000))
              .POST(BodyPublishers.ofString(GOOD))
              .build();
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(431);
    } catch (IOException e) {
      // It may be closed before the client has read why.
      assertThat(e).isNotInstanceOf(HttpTimeoutException.class);
    }
    assertThat(post("/validate", GOOD).statusCode()).isEqualTo(200);
  }

  private static String handshake(String protocol) throws Exception {
    try (var socket = (SSLSocket) trust.getSocketFactory().createSocket("localhost", port)) {
      var parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getApplicationProtocol();
    }
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return post(path, BodyPublishers.ofString(body), Map.of(JSON, "application/json"));
  }

  private static HttpResponse<String> post(
      String path, BodyPublisher body, Map<String, String> headers) throws Exception {
    var request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30)).POST(body);
    headers.forEach(request::header);
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static URI uri(String path) {
    return URI.create("https://localhost:%d%s?timeout=10s".formatted(port, path));
  }

  /** The response of a complete answer. */
  private static JsonNode response(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    var review = json(answer.body());
    assertThat(review.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(review.path("kind").asText()).isEqualTo("AdmissionReview");
    return review.path("response");
  }

  private static double counted(String name, String tag, String value) {
    return registry.get(name).tag("entry", "validate").tag(tag, value).counter().count();
  }
}
