package dev.shipshape.webhook.review;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The one place where answers are finished. */
public final class AnswerWriter {
  private static final int OK = 200;

  private AnswerWriter() {}

  /** A complete AdmissionReview, which the API server takes as the last word. */
  public static Answer complete(String uid, Verdict verdict) {
    var text = new StringWriter(512);
    try (var json = JsonLimits.FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("apiVersion", "admission.k8s.io/v1");
      json.writeStringField("kind", "AdmissionReview");
      json.writeObjectFieldStart("response");
      json.writeStringField("uid", uid);
      response(json, verdict);
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be written", e);
    }
    return new Answer(OK, "application/json", text.toString(), null, false);
  }

  /** An HTTP error, which the API server takes as a call that failed. */
  public static Answer error(int status, String message, @Nullable Integer retryAfterSeconds) {
    return new Answer(
        status, "text/plain; charset=utf-8", message + "\n", retryAfterSeconds, false);
  }

  private static void response(JsonGenerator json, Verdict verdict) throws IOException {
    switch (verdict) {
      case Verdict.Allowed allowed -> {
        json.writeBooleanField("allowed", true);
        var patch = allowed.patch();
        if (patch != null) {
          json.writeStringField("patchType", "JSONPatch");
          json.writeBinaryField("patch", patch.getBytes(StandardCharsets.UTF_8));
        }
      }
      case Verdict.Denied denied -> {
        json.writeBooleanField("allowed", false);
        json.writeObjectFieldStart("status");
        json.writeStringField("status", "Failure");
        json.writeNumberField("code", denied.code());
        json.writeStringField("reason", denied.reason());
        json.writeStringField("message", denied.message());
        json.writeEndObject();
      }
    }
    notes(json, verdict);
  }

  private static void notes(JsonGenerator json, Verdict verdict) throws IOException {
    if (!verdict.warnings().isEmpty()) {
      json.writeArrayFieldStart("warnings");
      for (var warning : verdict.warnings()) {
        json.writeString(warning);
      }
      json.writeEndArray();
    }
    if (!verdict.auditAnnotations().isEmpty()) {
      json.writeObjectFieldStart("auditAnnotations");
      for (var annotation : verdict.auditAnnotations().entrySet()) {
        json.writeStringField(annotation.getKey(), annotation.getValue());
      }
      json.writeEndObject();
    }
  }
}
