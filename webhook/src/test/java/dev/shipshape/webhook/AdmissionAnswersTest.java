package dev.shipshape.webhook;

import static dev.shipshape.webhook.AnswerShape.response;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the HTTPS port answers to reviews, whole and damaged. */
@ExtendWith(VertxExtension.class)
class AdmissionAnswersTest {
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
  void aLargeObjectIsDecidedToo() throws Exception {
    var large = "{\"layer2\":[{\"id\":6}],\"x\":\"" + "y".repeat(200_000) + "\"}";

    var allowed = response(caller.post("/validate", creation(nodeConfig("worker-1", large))));
    assertThat(allowed.path("allowed").asBoolean()).isTrue();
    var denied = BAD.replace("\"dryRun\":false", "\"x\":\"" + "y".repeat(200_000) + "\"");
    assertThat(response(caller.post("/validate", denied)).path("status").path("code").asInt())
        .isEqualTo(403);
  }

  @Test
  void aDamagedReviewIsAnHttpErrorAtBothEntries() throws Exception {
    for (var damaged :
        List.of(
            "",
            "[]",
            GOOD.substring(0, GOOD.length() / 2),
            GOOD.replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1"),
            GOOD.replace("AdmissionReview", "Review"),
            GOOD + "{}")) {
      assertThat(caller.post("/validate", damaged).statusCode()).isEqualTo(400);
      assertThat(caller.post("/mutate", damaged).statusCode()).isEqualTo(400);
    }
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
}
