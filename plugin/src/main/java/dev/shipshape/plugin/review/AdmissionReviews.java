package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.OfflineWebhook;
import dev.shipshape.webhook.OfflineWebhook.Judgement;
import dev.shipshape.webhook.config.Guard;
import java.nio.charset.StandardCharsets;

/** Makes AdmissionReviews of writes, as the API server does. */
final class AdmissionReviews {
  private AdmissionReviews() {}

  /**
   * Makes the AdmissionReview of a write by a user without a name.
   *
   * @param namespace of an object without one
   */
  static ObjectNode of(Guard guard, JsonNode object, String operation, String namespace) {
    var resource = guard.resource();
    var review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    var request = review.putObject("request").put("uid", "review").put("operation", operation);
    request
        .putObject("resource")
        .put("group", resource.group())
        .put("version", resource.version())
        .put("resource", resource.plural());
    request.put("name", object.at("/metadata/name").asText());
    var written = placed(guard, object, namespace);
    if (resource.namespaced()) {
      request.put("namespace", written.at("/metadata/namespace").asText());
    }
    request.putObject("userInfo").put("username", "");
    request.set("object", written);
    return review;
  }

  /** Returns the object in its namespace; in this one if it names none. */
  static JsonNode placed(Guard guard, JsonNode object, String namespace) {
    if (!guard.resource().namespaced() || !object.at("/metadata/namespace").asText().isEmpty()) {
      return object;
    }
    var placed = object.<ObjectNode>deepCopy();
    placed.withObject("/metadata").put("namespace", namespace);
    return placed;
  }

  static Judgement judge(OfflineWebhook webhook, JsonNode review) {
    return webhook.judge(review.toString().getBytes(StandardCharsets.UTF_8));
  }
}
