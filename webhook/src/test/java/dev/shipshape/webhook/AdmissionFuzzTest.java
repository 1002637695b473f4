package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionReview;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Refused;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Any body, as the two endpoints get it behind TLS and the body's limit. */
class AdmissionFuzzTest {
  private final List<AdmissionEndpoint> endpoints =
      List.of(
          endpoint(Endpoint.VALIDATE, TestingServer.validating()),
          endpoint(Endpoint.MUTATE, TestingServer.stamping()));

  private static AdmissionEndpoint endpoint(
      Endpoint endpoint, Function<AdmissionRequest, Decision> handler) {
    var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
    return new AdmissionEndpoint(endpoint, handler, metrics, List.of());
  }

  @FuzzTest
  void anyBodyIsAnsweredOrRefusedAndNeverAnInternalError(byte[] body) {
    var refusal = refusal(body);
    for (var endpoint : endpoints) {
      var answer = endpoint.respond(body);

      AnswerShape.assertWellFormed(answer.status(), answer.body());
      assertThat(answer.body()).doesNotContain("internal error");
      if (!isUtf8(body)) {
        // Jackson takes a name of such bytes for one that it has read before, or refuses it. The
        // API server sends none.
        continue;
      }
      // Another replica may guard it, or guard it in this version.
      var message = json(answer.body()).path("message").asText();
      var isPostponed =
          message.startsWith("this replica has no guard for")
              || message.contains(" are guarded in version ");
      assertThat(answer.status())
          .isIn(refusal.isEmpty() ? List.of(isPostponed ? 503 : 200) : List.of(400, 413));
      if (!refusal.isEmpty()) {
        assertThat(json(answer.body()).path("kind").asText()).isEqualTo("Status");
        assertThat(json(answer.body()).path("message").asText()).isEqualTo(refusal);
      }
    }
  }

  private static boolean isUtf8(byte[] body) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static String refusal(byte[] body) {
    try {
      var request = AdmissionReview.read(body);
      assertThat(request.uid()).isNotEmpty();
      assertThat(request.object().isObject() || request.object().isMissingNode()).isTrue();
      return "";
    } catch (Refused e) {
      return e.message();
    }
  }
}
