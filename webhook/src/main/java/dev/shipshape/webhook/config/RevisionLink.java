package dev.shipshape.webhook.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * The link from a node's object to the revision that it was generated from: a field with the same
 * value in both.
 *
 * @param field the path in both objects
 */
public record RevisionLink(String guard, JsonPointer field) {
  /** Returns the text of the field; empty if it is missing. */
  public String of(JsonNode object) {
    return object.at(field).asText();
  }
}
