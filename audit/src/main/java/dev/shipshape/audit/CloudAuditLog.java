package dev.shipshape.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Converts entries of clouds' audit logs to events: rows of Azure's table {@code AKSAudit}, and
 * entries of Google's audit log about Kubernetes. The latter have the fields of Cloud Logging's
 * {@code LogEntry} and {@code AuditLog}; a resource is named {@code
 * core/v1/namespaces/NAMESPACE/pods/NAME/SUBRESOURCE}.
 */
final class CloudAuditLog {
  /** HTTP codes by gRPC code, which Google logs in place of Kubernetes' codes. */
  private static final List<Integer> CODES =
      List.of(200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401);

  /** Fields of an event by AKSAudit's columns; other columns differ in their first letter only. */
  private static final Map<String, String> COLUMNS =
      Map.of(
          "AuditId", "auditID",
          "RequestUri", "requestURI",
          "SourceIps", "sourceIPs",
          "RequestReceivedTime", "requestReceivedTimestamp",
          "StageReceivedTime", "stageTimestamp");

  private static final List<String> PARTS = List.of("resource", "name", "subresource");

  /** Subresources of a namespace; any other name in this place is a resource in the namespace. */
  private static final Set<String> NAMESPACE_PARTS = Set.of("status", "finalize");

  private CloudAuditLog() {}

  /**
   * Converts an entry to an event in JSON: empty if it is not about Kubernetes, without members if
   * it cannot be read.
   */
  static byte[] event(byte[] bytes, int from, int length) {
    try {
      var entry = Json.MAPPER.readTree(bytes, from, length);
      if (entry.has("AuditId")) {
        return Json.MAPPER.writeValueAsBytes(ofRow(entry));
      }
      var call = entry.path("protoPayload");
      var method = call.path("methodName").asText();
      return method.startsWith("io.k8s.") || call.path("serviceName").asText().equals("k8s.io")
          ? Json.MAPPER.writeValueAsBytes(event(entry, call, method))
          : new byte[0];
    } catch (IOException e) {
      return new byte[] {'{', '}'};
    }
  }

  /** Columns may have JSON as text. Azure cuts long ones: then it is as if they were not there. */
  private static ObjectNode ofRow(JsonNode row) {
    var event = Json.MAPPER.createObjectNode();
    for (var column : row.properties()) {
      var name = column.getKey();
      var text = column.getValue().asText();
      var isJson = text.startsWith("{") || text.startsWith("[") || text.equals("null");
      var value = isJson ? Json.tree(text) : column.getValue();
      if (!value.isMissingNode()) {
        event.set(COLUMNS.getOrDefault(name, uncapitalized(name)), value);
      }
    }
    return event;
  }

  private static String uncapitalized(String name) {
    return name.isEmpty()
        ? name
        : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private static ObjectNode event(JsonNode entry, JsonNode call, String method) {
    var event = Json.MAPPER.createObjectNode();
    var id = entry.path("operation").path("id").asText();
    var verb = method.substring(method.lastIndexOf('.') + 1);
    var resource = call.path("resourceName").asText();
    var metadata = call.path("requestMetadata");
    event
        .put("level", level(call))
        .put("auditID", id.isEmpty() ? entry.path("insertId").asText() : id)
        .put("stage", "ResponseComplete")
        .put(
            "requestURI",
            resource.replaceFirst("^(core/)?", resource.startsWith("core/") ? "/api/" : "/apis/"))
        .put("verb", verb)
        .put("userAgent", metadata.path("callerSuppliedUserAgent").asText())
        .put("requestReceivedTimestamp", entry.path("timestamp").asText());
    event
        .putObject("user")
        .put("username", call.path("authenticationInfo").path("principalEmail").asText());
    event.putArray("sourceIPs").add(metadata.path("callerIp").asText());
    putObject(event.putObject("objectRef"), List.of(resource.split("/", -1)));
    event
        .putObject("responseStatus")
        .put("code", code(call, verb))
        .put("message", call.path("status").path("message").asText());
    event.set("annotations", entry.path("labels"));
    event.set("requestObject", call.get("request"));
    event.set("responseObject", call.get("response"));
    return event;
  }

  private static String level(JsonNode call) {
    return call.has("response") ? "RequestResponse" : call.has("request") ? "Request" : "Metadata";
  }

  private static void putObject(ObjectNode object, List<String> name) {
    var isNamespaced =
        name.size() > 4
            && name.get(2).equals("namespaces")
            && !NAMESPACE_PARTS.contains(name.get(4));
    var rest = name.subList(Math.min(name.size(), isNamespaced ? 4 : 2), name.size());
    object.put("apiGroup", name.getFirst().equals("core") ? "" : name.getFirst());
    object.put("namespace", isNamespaced ? name.get(3) : "");
    for (var i = 0; i < Math.min(rest.size(), PARTS.size()); i++) {
      object.put(PARTS.get(i), rest.get(i));
    }
  }

  private static int code(JsonNode call, String verb) {
    var status = call.path("response");
    if (status.path("kind").asText().equals("Status") && status.has("code")) {
      return status.path("code").asInt();
    }
    var code = call.path("status").path("code").asInt();
    if (code == 0 && verb.equals("create")) {
      return HttpURLConnection.HTTP_CREATED;
    }
    return code >= 0 && code < CODES.size()
        ? CODES.get(code)
        : HttpURLConnection.HTTP_INTERNAL_ERROR;
  }
}
