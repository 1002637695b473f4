package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * The fields of an object that describe a failure. Paths start at the top of the object; an empty
 * path means that there is no such field.
 *
 * @param time RFC 3339
 */
public record FailureFields(JsonPointer node, JsonPointer reason, JsonPointer time) {
  /** Messages show these texts: longer ones are cut, and they have no control characters. */
  private static final int MAX_LENGTH = 300;

  /** Reads the failure, and the field manager from the metadata. */
  public FailureDetails read(JsonNode object) {
    var metadata = object.path("metadata");
    return new FailureDetails(
        metadata.path("managedFields").path(0).path("manager").asText(),
        text(object, time),
        text(object, node),
        text(object, reason));
  }

  private static String text(JsonNode object, JsonPointer field) {
    var text = object.at(field).asText().replaceAll("(?U)\\p{Cntrl}+", " ");
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
  }
}
