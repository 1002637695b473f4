package dev.shipshape.webhook.index;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * When an object's content and its outcome fields were last written, by its managed fields.
 *
 * @param contentTime seconds since 1970; 0 if not known
 * @param statusTime the last write of an outcome field in the status, in seconds since 1970; 0 if
 *     not known
 * @param statusManager the manager that wrote the deciding field; empty if not known
 * @param isTimeShared whether one managedFields entry covers both content and status, so that they
 *     share one time; only without a status subresource
 * @param isFirstGeneration whether its content is the one that it was created with
 */
record ManagedFieldsTimes(
    long contentTime,
    long statusTime,
    String statusManager,
    boolean isTimeShared,
    boolean isFirstGeneration) {
  /** Reads the managed fields. Of the outcome fields, the first is the deciding one. */
  static ManagedFieldsTimes of(JsonNode metadata, List<JsonPointer> outcomeFields) {
    var contentTime = 0L;
    var decided = 0L;
    var statusTime = 0L;
    var statusManager = "";
    var isTimeShared = false;
    for (var entry : metadata.path("managedFields")) {
      var time = seconds(entry.path("time").asText());
      var fields = entry.path("fieldsV1");
      var isContent = !entry.path("subresource").asText().equals("status") && hasContent(fields);
      contentTime = isContent ? Math.max(contentTime, time) : contentTime;
      if (time >= statusTime
          && outcomeFields.stream().anyMatch(field -> ownsStatus(fields, field))) {
        statusTime = time;
        isTimeShared = isContent;
      }
      if (time >= decided
          && !outcomeFields.isEmpty()
          && ownsStatus(fields, outcomeFields.getFirst())) {
        decided = time;
        statusManager = entry.path("manager").asText();
      }
    }
    return new ManagedFieldsTimes(
        contentTime,
        statusTime,
        statusManager,
        isTimeShared,
        metadata.path("generation").asLong(1) <= 1);
  }

  private static boolean ownsStatus(JsonNode fields, JsonPointer field) {
    return field.getMatchingProperty().equals("status") && owns(fields, field);
  }

  /** Whether they contain this field or all of one of its parents. */
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

  /** Parses an RFC 3339 time to seconds since 1970; 0 if it is invalid. */
  static long seconds(String time) {
    try {
      return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
    } catch (DateTimeException e) {
      return 0;
    }
  }
}
