package dev.shipshape.webhook;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;

/** What every answer must look like, to be understood as it is meant. */
final class AnswerShape {
  private AnswerShape() {}

  /** The response of a complete answer. */
  static JsonNode response(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    var review = json(answer.body());
    assertThat(review.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(review.path("kind").asText()).isEqualTo("AdmissionReview");
    return review.path("response");
  }

  /** An HTTP error, or a complete answer. */
  static void assertWellFormed(int status, String body) {
    if (status != 200) {
      assertThat(status).isBetween(400, 599);
      return;
    }
    var review = json(body);
    assertThat(review.path("kind").asText()).isEqualTo("AdmissionReview");
    var response = review.path("response");
    assertThat(response.path("uid").asText()).isNotEmpty();
    assertThat(response.path("allowed").isBoolean()).isTrue();
    assertThat(response.has("patch")).isEqualTo(response.has("patchType"));
    if (!response.path("allowed").asBoolean()) {
      assertThat(response.path("status").path("code").asInt()).isBetween(400, 599);
      assertThat(response.path("status").path("message").asText()).isNotEmpty();
    }
  }
}
