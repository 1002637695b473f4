package dev.shipshape.webhook.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.identity.JsonLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Decodes and encodes AdmissionReview v1. */
public final class AdmissionReview {
  private static final String API_VERSION = "admission.k8s.io/v1";
  private static final String KIND = "AdmissionReview";

  private AdmissionReview() {}

  /** Decodes a review within {@link JsonLimits}; Refused if it is incomplete or exceeds them. */
  public static AdmissionRequest read(byte[] body) {
    var review = tree(body);
    if (!review.path("apiVersion").asText().equals(API_VERSION)
        || !review.path("kind").asText().equals(KIND)) {
      throw malformed(
          "must be %s %s, is %s %s"
              .formatted(
                  API_VERSION,
                  KIND,
                  review.path("apiVersion").asText("none"),
                  review.path("kind").asText("none")));
    }
    var request = review.path("request");
    if (!request.isObject()) {
      throw malformed("request must be an object");
    }
    var resource = request.path("resource");
    return new AdmissionRequest(
        required(request, "uid", "request.uid"),
        operation(required(request, "operation", "request.operation")),
        new GroupVersionResource(
            resource.path("group").asText(""),
            required(resource, "version", "request.resource.version"),
            required(resource, "resource", "request.resource.resource")),
        request.path("subResource").asText(""),
        request.path("name").asText(""),
        request.path("namespace").asText(""),
        request.at("/userInfo/username").asText(""),
        request.path("dryRun").asBoolean(),
        object(request, "object", body.length),
        object(request, "oldObject", body.length));
  }

  private static JsonNode tree(byte[] body) {
    if (body.length == 0) {
      throw malformed("the body is empty");
    }
    try {
      return JsonLimits.tree(body);
    } catch (StreamConstraintsException e) {
      throw new Refused(
          Reason.TOO_LARGE, "the review is too large to be judged: " + e.getOriginalMessage());
    } catch (JsonProcessingException e) {
      throw malformed("not valid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw malformed("not readable: " + e.getMessage());
    }
  }

  private static JsonNode object(JsonNode request, String member, int bytes) {
    var object = request.path(member);
    var problem = JsonLimits.problem("request." + member, object, bytes);
    if (problem != null) {
      throw new Refused(Reason.TOO_LARGE, problem);
    }
    return object.isObject() ? object : MissingNode.getInstance();
  }

  private static String required(JsonNode parent, String member, String field) {
    var text = parent.path(member).asText("");
    if (text.isEmpty()) {
      throw malformed(field + " is missing");
    }
    return text;
  }

  private static Operation operation(String name) {
    try {
      return Operation.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw malformed("request.operation is not an operation of admission: " + name);
    }
  }

  private static Refused malformed(String problem) {
    return new Refused(Reason.BAD_REQUEST, problem);
  }

  /** Encodes a complete review, which the API server treats as final. */
  static String write(String uid, Decision decision) {
    var response = JsonNodeFactory.instance.objectNode();
    var reason = decision.reason();
    response.put("uid", uid).put("allowed", !reason.rejects());
    if (reason.rejects()) {
      response.set("status", status(decision));
    } else if (!decision.message().isEmpty()) {
      response.putArray("warnings").add(decision.message());
    }
    if (!decision.patch().isEmpty()) {
      response
          .put("patchType", "JSONPatch")
          .put("patch", decision.patch().getBytes(StandardCharsets.UTF_8));
    }
    if (!decision.audit().isEmpty()) {
      decision.audit().forEach(response.putObject("auditAnnotations")::put);
    }
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", API_VERSION).put("kind", KIND).set("response", response);
    return review.toString();
  }

  /** Encodes the body of an HTTP error: the API server shows a Status's message to the user. */
  static String writeError(Decision decision) {
    return status(decision).put("apiVersion", "v1").put("kind", "Status").toString();
  }

  private static ObjectNode status(Decision decision) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("status", "Failure")
        .put("code", decision.reason().code())
        .put("reason", decision.reason().status())
        .put("message", decision.message());
  }
}
