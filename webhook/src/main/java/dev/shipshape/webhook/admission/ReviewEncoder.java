package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.shipshape.webhook.admission.AdmissionResponse.Allowed;
import dev.shipshape.webhook.admission.AdmissionResponse.Patched;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The one place where uid, status and patch of a response are finished. */
final class ReviewEncoder {
  private static final int OK = 200;

  private ReviewEncoder() {}

  /**
   * A complete AdmissionReview, which the API server takes as the last word; or an HTTP error,
   * which it takes as a call that failed: for what may be tried again, for what is refused where
   * nothing is denied, and where no uid is known.
   *
   * @param uid the call's; null where it could not be read
   */
  static HttpAnswer encode(Endpoint endpoint, @Nullable String uid, AdmissionResponse response) {
    if (response instanceof Rejected rejected
        && (rejected.reason().passes() || !endpoint.denies() || uid == null)) {
      return error(rejected);
    }
    if (uid == null) {
      throw new IllegalArgumentException("no uid to answer");
    }
    return new HttpAnswer(OK, "application/json", review(uid, response), false, false);
  }

  private static HttpAnswer error(Rejected rejected) {
    var reason = rejected.reason();
    return new HttpAnswer(
        reason.code(),
        "text/plain; charset=utf-8",
        rejected.message() + "\n",
        reason.passes(),
        // Another replica may know; by a connection that stays the next try would come here again.
        reason == Reason.NOT_READY);
  }

  private static String review(String uid, AdmissionResponse response) {
    var text = new StringWriter(512);
    try (var json = JsonLimits.FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("apiVersion", "admission.k8s.io/v1");
      json.writeStringField("kind", "AdmissionReview");
      json.writeObjectFieldStart("response");
      json.writeStringField("uid", uid);
      json.writeBooleanField("allowed", !(response instanceof Rejected));
      switch (response) {
        case Allowed(_, var warning, var annotations) -> {
          if (warning != null) {
            json.writeArrayFieldStart("warnings");
            json.writeString(warning);
            json.writeEndArray();
          }
          annotate(json, annotations);
        }
        case Patched(var patch) -> {
          json.writeStringField("patchType", "JSONPatch");
          json.writeBinaryField("patch", patch.getBytes(StandardCharsets.UTF_8));
        }
        case Rejected(var reason, var message, var annotations) -> {
          json.writeObjectFieldStart("status");
          json.writeStringField("status", "Failure");
          json.writeNumberField("code", reason.code());
          json.writeStringField("reason", reason.status());
          json.writeStringField("message", message);
          json.writeEndObject();
          annotate(json, annotations);
        }
      }
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be written", e);
    }
    return text.toString();
  }

  private static void annotate(JsonGenerator json, Map<String, String> annotations)
      throws IOException {
    if (annotations.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart("auditAnnotations");
    for (var annotation : annotations.entrySet()) {
      json.writeStringField(annotation.getKey(), annotation.getValue());
    }
    json.writeEndObject();
  }
}
