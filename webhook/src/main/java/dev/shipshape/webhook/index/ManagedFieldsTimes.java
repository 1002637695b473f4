package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * When an object's content and what its status says of it were last written, as the API server's
 * field managers tell.
 *
 * @param content seconds since 1970; 0 where it is not told
 * @param status the same of the status fields that say what became of the content
 * @param statusBy the manager that wrote the first of these; empty where it is not told
 * @param together whether that manager wrote content by the same way, so that one time is told of
 *     both; only where the resource has no status of its own to write
 * @param onlyOnce whether the content is as it was created
 */
public record ManagedFieldsTimes(
    long content, long status, String statusBy, boolean together, boolean onlyOnce) {
  /** More than any time. */
  private static final long EXACTLY = 1L << 40;

  /**
   * What this metadata tells.
   *
   * @param said the fields that say what became of the content, the one that decides first
   */
  public static ManagedFieldsTimes of(JsonNode metadata, List<JsonPointer> said) {
    var content = 0L;
    var decided = 0L;
    var status = 0L;
    var statusBy = "";
    var together = false;
    for (var entry : metadata.path("managedFields")) {
      var time = seconds(entry.path("time").asText());
      var fields = entry.path("fieldsV1");
      var isContent = !entry.path("subresource").asText().equals("status") && hasContent(fields);
      content = isContent ? Math.max(content, time) : content;
      if (time >= status && said.stream().anyMatch(field -> ownsStatus(fields, field))) {
        status = time;
        together = isContent;
      }
      if (!said.isEmpty() && ownsStatus(fields, said.getFirst())) {
        // Of two within a second, the one that has more than the field itself is not its writer.
        var rank = time + (has(fields, said.getFirst()) ? EXACTLY : 0);
        if (rank >= decided) {
          decided = rank;
          statusBy = entry.path("manager").asText();
        }
      }
    }
    return new ManagedFieldsTimes(
        content, status, statusBy, together, metadata.path("generation").asLong(1) <= 1);
  }

  /** Whether they have this very field. */
  private static boolean has(JsonNode fields, JsonPointer field) {
    return !fields.at(field.toString().replace("/", "/f:")).isMissingNode();
  }

  private static boolean ownsStatus(JsonNode fields, JsonPointer field) {
    return field.getMatchingProperty().equals("status") && owns(fields, field);
  }

  /** Whether these managed fields have this field, or all that it is in. */
  private static boolean owns(JsonNode fields, JsonPointer field) {
    var at = fields.path("f:" + field.getMatchingProperty());
    for (var rest = field.tail(); !rest.matches(); rest = rest.tail()) {
      at = at.isObject() && at.isEmpty() ? at : at.path("f:" + rest.getMatchingProperty());
    }
    return !at.isMissingNode();
  }

  private static boolean hasContent(JsonNode fields) {
    for (var field : fields.properties()) {
      if (!field.getKey().equals("f:metadata") && !field.getKey().equals("f:status")) {
        return true;
      }
    }
    return false;
  }

  /** Seconds since 1970 of an RFC 3339 time; 0 where it is none. */
  public static long seconds(String time) {
    try {
      return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
    } catch (DateTimeException e) {
      return 0;
    }
  }
}
