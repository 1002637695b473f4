package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * Where an object says more about what made it invalid, from its top; empty where it does not say.
 *
 * @param node the node that it failed on
 * @param why the error
 * @param at the time
 */
public record FailureFields(JsonPointer node, JsonPointer why, JsonPointer at) {
  /** Longer ones are cut: they are told to people. */
  private static final int LONGEST = 300;

  /** What this object says; who recorded it as its metadata says. */
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
