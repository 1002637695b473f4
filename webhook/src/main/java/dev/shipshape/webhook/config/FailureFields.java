package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * The fields of an object that describe a failure. Paths start at the top of the object; an empty
 * path means that there is no such field.
 *
 * @param node the node on which the configuration failed
 * @param why the error message
 * @param at RFC 3339
 */
public record FailureFields(JsonPointer node, JsonPointer why, JsonPointer at) {
  /** Longer texts are cut, because messages show them. */
  private static final int LONGEST = 300;

  /** Reads the failure, and the field manager from the metadata. */
  public FailureDetails of(JsonNode object) {
    var metadata = object.path("metadata");
    return new FailureDetails(
        metadata.path("managedFields").path(0).path("manager").asText(),
        text(object, at),
        text(object, node),
        text(object, why));
  }

  private static String text(JsonNode object, JsonPointer field) {
    var text = object.at(field).asText();
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
